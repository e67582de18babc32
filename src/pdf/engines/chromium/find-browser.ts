import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { BrowserUnavailable } from './browser-errors.ts';
import { unpackBrowser } from './unpack-browser.ts';

export interface BrowserFiles {
  readonly executable: string;
  /** The folder of its own libraries; absent: the system's. */
  readonly libraries: string | undefined;
}

export interface BrowserSearch {
  /** From the configuration. */
  readonly executable: string | undefined;
  /** Paths of installed browsers; preferred to the packaged one because they get security fixes. */
  readonly installed: readonly string[];
  readonly dataDir: string;
  readonly onProgress: (share: number) => void;
}

/** Where Linux distributions install a headless shell; the first is the executable behind Debian's wrapper script. */
export const installedBrowsers: readonly string[] = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chrome-headless-shell',
  '/usr/local/bin/chrome-headless-shell',
];

/** The configured browser, an installed one, or the packaged one. */
export async function findBrowser(search: BrowserSearch, signal: AbortSignal): Promise<BrowserFiles> {
  const { executable, installed } = search;
  if (executable !== undefined) {
    if (await isExecutable(executable)) return { executable, libraries: undefined };
    throw new BrowserUnavailable(
      `engines.pdf.executable is ${executable}, which is no program that can be run`,
    );
  }
  for (const path of installed) {
    if (await isExecutable(path)) return { executable: path, libraries: undefined };
  }
  return await unpackBrowser({ ...search, signal });
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
