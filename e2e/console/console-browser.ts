import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { fontConfig } from '../../src/pdf/engines/chromium/font-config.ts';
import { fontFiles } from '../../src/pdf/engines/chromium/font-files.ts';
import { unpackBrowser } from '../../src/pdf/engines/chromium/unpack-browser.ts';

// A script element would break the policy of the page; what the browser is told to run does not.
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const SIZES = { wide: { width: 1360, height: 860 }, phone: { width: 390, height: 844 } } as const;
/** Asking who is signed in is answered 401 where no person is; the browser tells of every such answer. */
const NOT_SIGNED_IN = /\/console\/api\/session$/;

/** The browser of the PDF engine, as a person would use it. */
export class ConsoleBrowser implements AsyncDisposable {
  readonly #browser: Browser;
  /** Errors and breaches of the policy, on any page. */
  readonly complaints: string[] = [];

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Unpacks it where the gateway of this folder looks for its own. */
  static async start(dataDir: string): Promise<ConsoleBrowser> {
    const signal = AbortSignal.timeout(60_000);
    const { executable, libraries } = await unpackBrowser({ dataDir, onProgress: () => {}, signal });
    const home = join(dataDir, 'console-browser');
    const fonts = join(home, 'fonts');
    mkdirSync(fonts, { recursive: true });
    for (const path of fontFiles()) copyFileSync(path, join(fonts, basename(path)));
    writeFileSync(join(home, 'fonts.conf'), fontConfig({ fonts, cache: join(home, 'cache') }));
    const browser = await chromium.launch({
      executablePath: executable,
      args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
      env: {
        HOME: home,
        TMPDIR: home,
        FONTCONFIG_FILE: join(home, 'fonts.conf'),
        ...(libraries !== undefined && { LD_LIBRARY_PATH: libraries }),
      },
    });
    return new ConsoleBrowser(browser);
  }

  /** A window of its own, without cookies. */
  async open(): Promise<Page> {
    const context = await this.#browser.newContext({
      locale: 'en-US',
      timezoneId: 'Europe/Berlin',
      colorScheme: 'light',
      viewport: SIZES.wide,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.on('console', (message) => {
      const isExpected = NOT_SIGNED_IN.test(message.location().url);
      if (message.type() === 'error' && !isExpected) this.complaints.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.complaints.push(`${page.url()}: ${error.stack}`));
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** The findings of axe on a page in words: by all of its rules in dark, and by those of colours in light. */
export async function accessProblems(page: Page): Promise<readonly string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await runAxe(page, '');
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await runAxe(page, ", runOnly: ['color-contrast', 'link-in-text-block']");
  return [...dark.map((problem) => `dark: ${problem}`), ...light.map((problem) => `light: ${problem}`)];
}

async function runAxe(page: Page, options: string): Promise<readonly string[]> {
  const { violations } = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations']${options} })`,
  )) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${page.url()} ${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`),
  );
}

/** How far a page is wider than its window, and which of its tables are wider than their place, so that buttons are hidden. */
export async function overflow(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`[
    ...(document.documentElement.scrollWidth > innerWidth ? ['the page'] : []),
    ...[...document.querySelectorAll('section[aria-label]')]
      .filter((part) => part.querySelector(':scope > table') !== null && part.scrollWidth > part.clientWidth + 1)
      .map((part) => part.getAttribute('aria-label')),
  ]`)) as readonly string[];
}

/** The buttons of dialogs that are cut off by the window, or by the dialog itself. An open list may lie over them. */
export function outsideOfWindow(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { document, innerHeight, innerWidth } = globalThis as unknown as Window;
    const isCovered = [...document.querySelectorAll('[role="listbox"], [role="menu"]')].length > 0;
    const buttons = [...document.querySelectorAll('[role="dialog"] form > :last-child button')];
    return buttons.flatMap((button) => {
      const { left, right, top, bottom } = button.getBoundingClientRect();
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const isReached = isCovered || (hit !== null && button.contains(hit));
      const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      return isInside && isReached ? [] : [button.textContent ?? ''];
    });
  });
}

interface Window {
  readonly innerHeight: number;
  readonly innerWidth: number;
  readonly document: {
    querySelectorAll(selector: string): Iterable<Shown>;
    elementFromPoint(x: number, y: number): Shown | null;
  };
}

interface Shown {
  readonly textContent: string | null;
  contains(other: Shown): boolean;
  getBoundingClientRect(): Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>;
}
