import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../../testing/fake-upstream/fake-upstream.mjs';
import { type GatewayProcess, startGateway } from '../gateway-process.ts';
import { WorkFolder } from '../work-folder.ts';
import { accessProblems, ConsoleBrowser, outsideOfWindow, overflow, SIZES } from './console-browser.ts';
import { inventUsage } from './invented-usage.ts';
import { Keyboard } from './keyboard.ts';

export const PASSWORD = 'correct horse battery';
export const KEY = 'sk-e2e-console-0123456789';

// `STACKGATE_SCREENSHOTS=1` makes the pictures of README.md and docs/console.md again.
const pictures =
  process.env.STACKGATE_SCREENSHOTS === '1'
    ? fileURLToPath(new URL('../../docs/images/', import.meta.url))
    : undefined;

/** A gateway with a person at its console. */
export class ConsoleWorld implements AsyncDisposable {
  readonly gateway: GatewayProcess;
  readonly upstream: FakeUpstream;
  readonly browser: ConsoleBrowser;
  readonly page: Page;
  readonly keys: Keyboard;
  readonly #folder: WorkFolder;

  private constructor(
    parts: Pick<ConsoleWorld, 'gateway' | 'upstream' | 'browser' | 'page'>,
    folder: WorkFolder,
  ) {
    this.gateway = parts.gateway;
    this.upstream = parts.upstream;
    this.browser = parts.browser;
    this.page = parts.page;
    this.keys = new Keyboard(parts.page);
    this.#folder = folder;
  }

  static async start(): Promise<ConsoleWorld> {
    const upstream = await startFakeUpstream({ model: 'qwen3-32b' });
    const folder = await WorkFolder.withDatabase();
    folder.configure(`engines:
  text: { gpu: { kind: openai, base_url: ${upstream.url}/v1, model: qwen3-32b } }
  image: { painter: { kind: diffusion } }
stacks:
  - { id: shop, account: acme, plan: pro, image_plan: true, keys: [{ id: web, secret: ${KEY}, retrieval: true, knowledge: write }] }
`);
    if (pictures !== undefined) await inventUsage(folder.dataDir);
    const [gateway, browser] = await Promise.all([
      startGateway(folder),
      ConsoleBrowser.start(folder.dataDir),
    ]);
    const page = await browser.open();
    return new ConsoleWorld({ gateway, upstream, browser, page }, folder);
  }

  at(path: string): string {
    return `${this.gateway.url}/console/${path}`;
  }

  readonly button = (name: string | RegExp): Locator => this.page.getByRole('button', { name, exact: true });

  readonly field = (label: string): Locator => this.page.getByLabel(label, { exact: true });

  readonly text = (text: string | RegExp): Locator => this.page.getByText(text).first();

  heading(name: string): Locator {
    return this.page.getByRole('heading', { level: 1, name, exact: true });
  }

  /** Opens a page by its address. */
  async visit(path: string, heading: string): Promise<void> {
    await this.page.goto(this.at(path));
    await this.heading(heading).waitFor();
  }

  /** Sends a change as the same person in another window. */
  async send(method: string, path: string, body: unknown): Promise<void> {
    const options = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const status = await this.page.evaluate(
      `fetch('/console/api${path}', ${JSON.stringify(options)}).then((answer) => answer.status)`,
    );
    expect(status).toBe(200);
  }

  /** Nothing of what is on the screen is hard to see, hear or reach, in both themes; and it fits a phone. */
  async isGood(page = this.page): Promise<void> {
    await expect.poll(() => page.getByRole('status', { name: /^(Loading|Drawing)/ }).count()).toBe(0);
    const problems = await accessProblems(page);
    await page.setViewportSize(SIZES.phone);
    // A chart is drawn again after the window has changed.
    await expect.poll(() => overflow(page)).toEqual([]);
    const outside = await outsideOfWindow(page);
    await page.setViewportSize(SIZES.wide);
    expect([problems, outside]).toEqual([[], []]);
  }

  /** A picture for the documentation, in both themes. */
  async picture(name: string): Promise<void> {
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    await this.page.mouse.move(0, 0);
    for (const colorScheme of ['dark', 'light'] as const) {
      await this.page.emulateMedia({ colorScheme });
      await this.page.screenshot({
        path: join(pictures, `console-${name}-${colorScheme}.png`),
        animations: 'disabled',
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser[Symbol.asyncDispose]();
    await this.gateway[Symbol.asyncDispose]();
    await this.upstream.close();
    this.#folder[Symbol.dispose]();
  }
}

/** Whether pictures are made for the documentation, which takes longer. */
export const makesPictures = pictures !== undefined;
