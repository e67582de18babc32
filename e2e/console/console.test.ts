import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../../testing/fake-upstream/fake-upstream.mjs';
import { type GatewayProcess, startGateway } from '../gateway-process.ts';
import { WorkFolder } from '../work-folder.ts';
import { accessProblems, ConsoleBrowser, overflow } from './console-browser.ts';

const SETUP_LINK = /http:\/\/\S+\/console\/#setup=\S+/;
const PASSWORD = 'correct horse battery';
const KEY = 'sk-e2e-console-0123456789';
const HANDBOOK = '# The shop\n\n## Opening hours\n\nWe open at nine on weekdays and at ten on Saturdays.\n';
const INVOICE = `<title>Invoice</title>
<style>@page { size: 150mm 112mm; margin: 14mm } body { font: 15px sans-serif; color: #222 } h1 { font-size: 22px; color: #3b5bdb } td { padding: 4px 0 } td:last-child { text-align: right } table { width: 100%; border-collapse: collapse } tr { border-bottom: 1px solid #ddd }</style>
<h1>Northwind Ltd</h1><p>Invoice number: INV-7311</p><p>Date: 2026-05-02</p>
<table><tr><td>Desk lamp, oak</td><td>11.20</td></tr><tr><td>Bulb, warm white</td><td>3.60</td></tr><tr><td><b>Total</b></td><td><b>14.80</b></td></tr></table>
<img src="https://example.com/logo.png" width="40" height="40">`;
const DATA = { invoice_number: 'INV-7311', date: '2026-05-02', total: 14.8 };

const ANSWER =
  'We open at nine on weekdays and at ten on Saturdays. On public holidays the shop is closed; orders that come in then are sent on the next working day.';

/** Every page, with the heading by which a person knows it. */
const PAGES: readonly (readonly [path: string, heading: string])[] = [
  ['', 'Overview'],
  ['stacks', 'Stacks'],
  ['stacks/shop', 'shop'],
  ['keys', 'Keys'],
  ['usage', 'Usage'],
  ['requests', 'Requests'],
  ['audit', 'Audit'],
  ['playground/chat', 'Chat'],
  ['playground/images', 'Images'],
  ['playground/extract', 'Extract'],
  ['playground/pdf', 'PDF'],
  ['playground/knowledge#q=When+do+you+open', 'Knowledge'],
  ['playground/schemas', 'Schemas'],
];

/** A theme changes nothing else. */
const COLOURS = ['color-contrast'];

// `STACKGATE_SCREENSHOTS=1` makes the pictures of README.md and docs/console.md again.
const pictures =
  process.env.STACKGATE_SCREENSHOTS === '1'
    ? fileURLToPath(new URL('../../docs/images/', import.meta.url))
    : undefined;

let folder: WorkFolder;
let upstream: FakeUpstream;
let gateway: GatewayProcess;
let browser: ConsoleBrowser;
let page: Page;

beforeAll(async () => {
  upstream = await startFakeUpstream({ model: 'qwen3-32b' });
  folder = await WorkFolder.withDatabase();
  const server = `base_url: ${upstream.url}/v1, model: qwen3-32b`;
  folder.configure(`engines:
  text: { gpu: { kind: openai, ${server} } }
  image: { flux: { kind: openai-images, base_url: ${upstream.url}/v1, model: flux-schnell } }
stacks:
  - { id: shop, account: acme, plan: pro, image_plan: true, keys: [{ id: web, secret: ${KEY}, retrieval: true, knowledge: write }] }
`);
  [gateway, browser] = await Promise.all([startGateway(folder), ConsoleBrowser.start(folder.dataDir)]);
  page = await browser.open();
});
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  await gateway?.[Symbol.asyncDispose]();
  await upstream?.close();
  folder?.[Symbol.dispose]();
});
afterEach(() => {
  expect(browser.complaints.splice(0)).toEqual([]);
});

const at = (path: string) => `${gateway.url}/console/${path}`;
const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });

async function visit(path: string, name: string): Promise<void> {
  await page.goto(at(path));
  await heading(name).waitFor();
}

/** A picture for the documentation, in both themes. */
async function picture(name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.mouse.move(0, 0);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({
      path: join(pictures, `console-${name}-${colorScheme}.png`),
      animations: 'disabled',
    });
  }
}

describe('the first log-in', () => {
  it('is by the link that the start prints, once', async () => {
    const link = SETUP_LINK.exec(gateway.stdout)?.[0] ?? '';
    await page.goto(link);
    await page.getByLabel('Name').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Password again').fill('another horse');
    await page.getByText('The two are not the same.').waitFor();
    await page.getByLabel('Password again').fill(PASSWORD);
    await button('Set up').click();
    await heading('Overview').waitFor();
    expect(page.url()).toBe(at(''));
    const late = await browser.open();
    await late.goto(link);
    await late.getByLabel('Name').fill('eve');
    await late.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await late.getByLabel('Password again').fill(PASSWORD);
    await late.getByRole('button', { name: 'Set up' }).click();
    await late.getByRole('alert').waitFor();
    await late.context().close();
    // The refusal is the point.
    expect(browser.complaints.splice(0)).toEqual([expect.stringContaining('403')]);
  });
});

describe('stacks and keys', () => {
  it('are made in the console; a secret is shown once, and works', async () => {
    await visit('stacks', 'Stacks');
    await button('New stack').click();
    await page.getByLabel('Id').fill('research');
    await button('Create stack').click();
    await heading('research').waitFor();
    await button('New key').click();
    await page.getByLabel('Id').fill('notebook');
    await page.getByLabel('Requests per minute').fill('30');
    await button('Create key').click();
    await page.getByText('Copy it now.').waitFor();
    const secret = await page.locator('code').first().textContent();
    expect(await gateway.statusFor(secret ?? '')).toBe(200);
    await button('I have copied it').click();
    await page.getByRole('cell', { name: 'notebook', exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('are changed, and revoked after a question', async () => {
    await visit('stacks/research', 'research');
    await button('Edit').click();
    await page.getByLabel('System prompt').fill('You are kind.');
    await page.getByLabel('Tokens per day').fill('5000');
    await button('Save').click();
    await page.getByText('You are kind.').waitFor();
    await page.getByText('0 of 5,000').waitFor();
    await button('Actions for research/notebook').click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await button('Revoke key').click();
    await page.getByRole('cell', { name: 'revoked' }).waitFor();
  });

  it('that the file declares say so, and offer nothing to change', async () => {
    await visit('stacks/shop', 'shop');
    await page.getByRole('status').getByText('configuration file').waitFor();
    expect(await button('Edit').count()).toBe(0);
  });
});

describe('the playground', () => {
  it.each(['Chat', 'Messages', 'Responses'])(
    'chats over %s, streamed, with tokens, times and raw events',
    async (wire) => {
      upstream.respond({ text: ANSWER });
      await visit('playground/chat#stack=shop', 'Chat');
      await button(wire).click();
      await page.getByLabel('Message', { exact: true }).fill('When do you open?');
      await page.keyboard.press('Enter');
      await page.getByText(ANSWER, { exact: true }).waitFor();
      await page.getByText('First token').waitFor();
      await page.getByRole('tab', { name: /Raw events/ }).waitFor();
      await expect.poll(() => new URL(page.url()).hash).toContain('We+open+at+nine');
      if (wire === 'Chat') await picture('chat');
      await button('As curl').click();
      await page.getByText(`-d '{`, { exact: false }).waitFor();
      await page.keyboard.press('Escape');
    },
  );

  it('lets a person answer for the tools', async () => {
    upstream.respond(
      { toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] },
      { text: 'It is warm.' },
    );
    await visit('playground/chat#stack=shop', 'Chat');
    await button('Insert an example of a tool').click();
    await page.getByLabel('Message', { exact: true }).fill('How is the weather?');
    await button('Send').click();
    await page.getByLabel('Result of weather').fill('{"celsius": 21}');
    await button('Send results').click();
    await page.getByText('It is warm.', { exact: true }).waitFor();
    const asked = upstream.requests.at(-1)?.body as { messages: readonly { role: string }[] };
    expect(asked.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  it('paints, and gives every parameter back', async () => {
    await visit('playground/images#stack=shop', 'Images');
    await page.getByLabel('Prompt').fill('a fox');
    await page.getByLabel('Steps').fill('6');
    await page.getByLabel('Seed').fill('18446744073709551615');
    await button('Paint image').click();
    await button('a fox').click();
    await button('Remix').click();
    await expect.poll(() => page.getByLabel('Seed').inputValue()).toBe('');
    await page.getByLabel('Steps').fill('2');
    await button('a fox').click();
    await button('Use all').click();
    await expect.poll(() => page.getByLabel('Seed').inputValue()).toBe('18446744073709551615');
    expect(await page.getByLabel('Steps').inputValue()).toBe('6');
    await button('a fox').click();
    await button('Edit').click();
    await page.getByLabel('What shall change').fill('make it winter');
    await button('Edit image').click();
    await button('make it winter').click();
    await page.getByText('Made from').waitFor();
    await button('Compare').click();
    await button('a fox').click();
    await page.getByRole('row', { name: /prompt make it winter a fox/ }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('prints HTML, and says what was not fetched', async () => {
    await visit('playground/pdf#stack=shop', 'PDF');
    await page.getByLabel('HTML', { exact: true }).fill(INVOICE);
    await button('Print').click();
    await page.getByRole('img', { name: 'Page 1' }).waitFor();
    await page.getByText('1 reference was not fetched').waitFor();
  });

  it('extracts: a value and its place light up together', async () => {
    upstream.respond({ text: JSON.stringify(DATA) });
    const pdf = await fetch(`${gateway.url}/v1/documents/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ html: INVOICE }),
    });
    await visit('playground/extract#stack=shop', 'Extract');
    await page.getByLabel('Choose PDFs or pictures').setInputFiles({
      name: 'invoice.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(await pdf.arrayBuffer()),
    });
    await page.getByRole('img', { name: 'Page 1 of file 1' }).waitFor();
    await button('Extract').click();
    const box = page.getByRole('button', { name: 'date: 2026-05-02' });
    await box.waitFor();
    await page
      .getByRole('button', { name: /^total/ })
      .last()
      .hover();
    await expect
      .poll(() => page.getByRole('button', { name: /^total: / }).getAttribute('data-lit'))
      .toBe('true');
    await box.click();
    expect(await box.getAttribute('data-lit')).toBe('true');
    await picture('extract');
  });

  it('takes documents and finds passages in them', async () => {
    await visit('playground/knowledge#stack=shop', 'Knowledge');
    await page
      .getByLabel('Add documents')
      .setInputFiles({ name: 'handbook.md', mimeType: 'text/markdown', buffer: Buffer.from(HANDBOOK) });
    await page.getByRole('cell', { name: 'ready' }).waitFor({ timeout: 60_000 });
    await page.getByLabel('Ask a question').fill('When do you open on Saturday?');
    await page.getByText('The shop › Opening hours').first().waitFor();
    await page
      .getByText(/score 0\.\d/)
      .first()
      .waitFor();
  });

  it('repairs a schema and shows the difference', async () => {
    await visit('playground/schemas#stack=shop', 'Schemas');
    await page.getByText('May be invented').waitFor();
    await page.getByText('"type": ["string", "null"]').first().waitFor();
    await button('Repair').click();
    await page.getByText('Nothing to repair').waitFor();
  });
});

describe('a capture', () => {
  it('holds bodies of one key by an explicit choice, and says so to all', async () => {
    await visit('requests#stack=shop', 'Requests');
    await button('Capture bodies').click();
    await page.getByRole('combobox', { name: 'Key' }).click();
    await page.getByRole('option', { name: /^web/ }).click();
    await button('Begin').click();
    await page.getByText('are captured by ada').waitFor();
    upstream.respond({ text: 'Quite so.' });
    const body = JSON.stringify({ model: 'qwen3-32b', messages: [{ role: 'user', content: 'Is it so?' }] });
    const headers = { 'content-type': 'application/json' };
    await gateway.request('/v1/chat/completions', { method: 'POST', key: KEY, headers, body });
    await button('Show').click();
    await page.getByRole('dialog').getByText('POST /v1/chat/completions').click();
    await page.getByText('Is it so?').waitFor();
    await page.getByText('Quite so.').waitFor();
    await page.keyboard.press('Escape');
    await button('Stop').click();
    await page.getByText('are captured by ada').waitFor({ state: 'detached' });
  });
});

describe('what happened', () => {
  it('is in the live requests, the usage and the audit', async () => {
    await visit('requests', 'Requests');
    await page.getByText('live', { exact: true }).waitFor();
    await gateway.request('/v1/models/nothing', { key: KEY });
    await page.getByRole('cell', { name: '404' }).first().waitFor();
    await picture('requests');
    await visit('audit#action=key.revoke', 'Audit');
    await page.getByRole('cell', { name: 'research/notebook' }).waitFor();
    await page.getByRole('button', { name: /^Details/ }).click();
    await page.getByRole('dialog').getByText('by ada').waitFor();
    await visit('usage#group=key', 'Usage');
    await page.getByRole('cell', { name: /console/ }).waitFor();
    await visit('', 'Overview');
    await page.getByRole('img', { name: /Requests by day/ }).waitFor();
    await picture('overview');
  });
});

describe('every page', () => {
  it.each(['light', 'dark'] as const)('has nothing that axe complains of, %s', async (scheme) => {
    await using _seen = await inWindow({ scheme });
    const problems: string[] = [];
    for (const [path, name] of PAGES) {
      await visit(path, name);
      await expect.poll(() => page.getByRole('status', { name: /^(Loading|Drawing)/ }).count()).toBe(0);
      problems.push(...(await accessProblems(page, scheme === 'dark' ? COLOURS : undefined)));
    }
    expect(problems).toEqual([]);
  });

  it('fits a phone', async () => {
    await using _seen = await inWindow({ size: 'phone' });
    for (const [path, name] of PAGES) {
      await visit(path, name);
      expect([path, await overflow(page)]).toEqual([path, 0]);
    }
  });

  it('is reached by keyboard alone; a dialog gives focus back', async () => {
    await visit('', 'Overview');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    for (let steps = 0; steps < 5; steps += 1) await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Usage');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await heading('Keys').waitFor();
    await button('New key').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('New key');
  });

  it('of the log-in has nothing that axe complains of; a log-out ends the session; a pasted key sees its stack', async () => {
    await visit('', 'Overview');
    await button('ada Operator').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading('Sign in').waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await page.getByLabel('Name').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await button('Sign in').click();
    await heading('Overview').waitFor();
    const guest = await browser.open();
    await guest.goto(at(''));
    await guest.getByRole('button', { name: 'API key' }).click();
    await guest.getByLabel('API key').fill(KEY);
    await guest.getByRole('button', { name: 'Sign in', exact: true }).click();
    await guest.getByRole('link', { name: 'Keys' }).click();
    await guest.getByRole('cell', { name: 'web shop' }).waitFor();
    expect(await guest.getByRole('button', { name: 'New key' }).count()).toBe(0);
    await guest.context().close();
  });
});

/** Another window with the same session, in place of the usual one until it is disposed. */
async function inWindow(kind: Parameters<ConsoleBrowser['open']>[0]): Promise<AsyncDisposable> {
  const usual = page;
  page = await browser.open(kind, usual.context());
  return {
    [Symbol.asyncDispose]: async () => {
      await page.context().close();
      page = usual;
    },
  };
}
