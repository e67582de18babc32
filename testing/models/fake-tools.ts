import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../src/config/process-environment.ts';
import { makeDataFolder } from '../data-folder.ts';

const script = fileURLToPath(new URL('fake-tool.mjs', import.meta.url));

/** How a stand-in for pip or npm behaves. */
export interface FakeTools {
  /** Executables to make, such as `python3`. */
  readonly names: readonly string[];
  readonly mode?: 'copy' | 'fail' | 'without-pip' | 'nothing' | 'hang';
  /** Archives by file name; the one that begins with the package's name is given. */
  readonly archives?: Readonly<Record<string, Buffer>>;
}

/** An environment whose PATH has nothing but the stand-ins, and the command lines they were given. */
export function fakeTools({ names, mode = 'copy', archives = {} }: FakeTools): {
  readonly environment: Environment;
  readonly calls: () => readonly (readonly string[])[];
} {
  const folder = makeDataFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of names) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const paths = Object.entries(archives).map(([name, bytes]) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  });
  const log = join(folder, 'calls');
  const environment = { PATH: bin, FAKE_MODE: mode, FAKE_ARCHIVES: paths.join(':'), FAKE_LOG: log };
  const calls = () =>
    (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []).map((line) => JSON.parse(line));
  return { environment, calls };
}
