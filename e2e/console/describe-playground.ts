import { describe, expect, it } from 'vitest';
import { type ConsoleWorld, KEY, makesPictures } from './console-world.ts';

const HANDBOOK = '# The shop\n\n## Opening hours\n\nWe open at nine on weekdays and at ten on Saturdays.\n';
const INVOICE = `<title>Invoice</title>
<style>@page { size: 150mm 112mm; margin: 14mm } body { font: 15px sans-serif; color: #222 } h1 { font-size: 22px; color: #3b5bdb } td { padding: 4px 0 } td:last-child { text-align: right } table { width: 100%; border-collapse: collapse } tr { border-bottom: 1px solid #ddd }</style>
<h1>Northwind Ltd</h1><p>Invoice number: INV-7311</p><p>Date: 2026-05-02</p>
<table><tr><td>Desk lamp, oak</td><td>11.20</td></tr><tr><td>Bulb, warm white</td><td>3.60</td></tr><tr><td><b>Total</b></td><td><b>14.80</b></td></tr></table>
<img src="https://example.com/logo.png" width="40" height="40">`;
const DATA = { invoice_number: 'INV-7311', date: '2026-05-02', total: 14.8 };
const ANSWER =
  'We open at nine on weekdays and at ten on Saturdays. On public holidays the shop is closed; orders that come in then are sent on the next working day.';
const PAINTED = [
  'a blue car on a road',
  'a cat on green grass',
  'a sailing boat at sunset',
  'two red apples',
  'a yellow lamp',
  'a white rabbit in the snow',
  'a green tree on a hill',
];

/** One journey for each page of the playground. */
export function describePlayground(world: () => ConsoleWorld): void {
  describe('the playground', () => {
    it.each(['Chat', 'Messages', 'Responses'])(
      'chats over %s, streamed, with tokens, times and raw events',
      async (wire) => {
        const { page, keys, field, button, upstream } = world();
        upstream.respond({ text: ANSWER });
        await world().visit('playground/chat#stack=shop', 'Chat');
        if (wire !== 'Chat') await keys.pick(button(wire));
        else await world().isGood();
        await keys.write(field('Message'), 'When do you open?');
        await page.keyboard.press('Enter');
        await page.getByText(ANSWER, { exact: true }).waitFor();
        await page.getByText('First token').waitFor();
        await page.getByRole('tab', { name: /Raw events/ }).waitFor();
        await expect.poll(() => new URL(page.url()).hash).toContain('We+open+at+nine');
        await keys.press(button('As curl'));
        await page.getByText(`-d '{`, { exact: false }).waitFor();
        if (wire === 'Chat') await world().isGood();
        await page.keyboard.press('Escape');
        if (wire === 'Chat') await world().isGood();
      },
    );

    it('lets a person answer for the tools', async () => {
      const { page, keys, field, button, upstream } = world();
      upstream.respond(
        { toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] },
        { text: 'It is warm.' },
      );
      await world().visit('playground/chat#stack=shop', 'Chat');
      await keys.press(button('Insert an example of a tool'));
      await keys.write(field('Message'), 'How is the weather?');
      await keys.press(button('Send'));
      await keys.write(field('Result of weather'), '{"celsius": 21}');
      await world().isGood();
      await keys.press(button('Send results'));
      await page.getByText('It is warm.', { exact: true }).waitFor();
      const asked = upstream.requests.at(-1)?.body as { messages: readonly { role: string }[] };
      expect(asked.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    });

    it('paints, says which words it does not know, and gives every parameter back', async () => {
      const { page, keys, field, button } = world();
      await world().visit('playground/images#stack=shop', 'Images');
      await paint('a qwxzv fox', { Steps: '1', Seed: '18446744073709551615' });
      await page.getByText('does not know this word: qwxzv').waitFor();
      await keys.press(button('a qwxzv fox'));
      await world().isGood();
      await keys.press(button('Remix'));
      await expect.poll(() => field('Seed').inputValue()).toBe('');
      await keys.write(field('Steps'), '2');
      await keys.press(button('a qwxzv fox'));
      await keys.press(button('Use all'));
      await expect.poll(() => field('Seed').inputValue()).toBe('18446744073709551615');
      expect(await field('Steps').inputValue()).toBe('1');
      await keys.press(button('a qwxzv fox'));
      await keys.press(button('Edit'));
      await keys.write(field('What shall change'), 'make it night');
      await keys.press(button('Edit image'));
      await keys.press(button('make it night'));
      await page.getByText('Made from').waitFor();
      await keys.press(button('Compare'));
      await keys.press(button('a qwxzv fox'));
      await page.getByRole('row', { name: /Prompt make it night a qwxzv fox/ }).waitFor();
      await world().isGood();
      await page.keyboard.press('Escape');
      await world().isGood();
      if (!makesPictures) return;
      await keys.press(button(/^Leave out/));
      for (const prompt of PAINTED) await paint(prompt, { Steps: '4', Seed: '7' });
      await world().picture('images');
    });

    async function paint(prompt: string, fields: Readonly<Record<string, string>>): Promise<void> {
      const { keys, field, button } = world();
      await keys.write(field('Prompt'), prompt);
      for (const [name, value] of Object.entries(fields)) await keys.write(field(name), value);
      await keys.press(button('Paint image'));
      await button(prompt).first().waitFor({ timeout: 60_000 });
    }

    it('prints HTML, and says what was not fetched', async () => {
      const { page, keys, field, button } = world();
      await world().visit('playground/pdf#stack=shop', 'PDF');
      await keys.write(field('HTML'), INVOICE);
      await keys.press(button('Print'));
      await page.getByRole('img', { name: 'Page 1' }).waitFor();
      await page.getByText('1 reference was not fetched').waitFor();
      await world().isGood();
    });

    it('extracts: a value and its place light up together', async () => {
      const { page, keys, button, upstream, gateway } = world();
      upstream.respond({ text: JSON.stringify(DATA) });
      const pdf = await fetch(`${gateway.url}/v1/documents/generate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ html: INVOICE }),
      });
      await world().visit('playground/extract#stack=shop', 'Extract');
      const files = page.getByLabel('Choose PDFs or pictures');
      await keys.reach(files);
      await files.setInputFiles({
        name: 'invoice.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from(await pdf.arrayBuffer()),
      });
      await page.getByRole('img', { name: 'Page 1 of file 1' }).waitFor();
      await keys.press(button('Extract'));
      const box = (name: string) => page.getByRole('button', { name });
      await keys.reach(page.getByRole('button', { name: /^total/ }).last());
      await expect.poll(() => box('total: 14.80').getAttribute('data-lit')).toBe('true');
      await keys.press(box('date: 2026-05-02'));
      expect(await box('date: 2026-05-02').getAttribute('data-lit')).toBe('true');
      await world().isGood();
      await world().picture('extract');
    });

    it('takes documents and finds passages in them', async () => {
      const { page, keys, field } = world();
      await world().visit('playground/knowledge#stack=shop', 'Knowledge');
      const files = page.getByLabel('Add documents');
      await keys.reach(files);
      await files.setInputFiles({
        name: 'handbook.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from(HANDBOOK),
      });
      await page.getByRole('cell', { name: 'ready' }).waitFor({ timeout: 60_000 });
      await keys.write(field('Ask a question'), 'When do you open on Saturday?');
      await world().text('The shop › Opening hours').waitFor();
      await world()
        .text(/score 0\.\d/)
        .waitFor();
      await world().isGood();
    });

    it.each(['Chat', 'Messages', 'Responses'])(
      'shows the sources of an answer over %s, once its key has retrieval',
      async (wire) => {
        const { page, keys, field, button, upstream } = world();
        await world().visit('playground/chat#stack=shop', 'Chat');
        if (wire === 'Chat') {
          await page.getByText('has no retrieval').waitFor();
          await world().isGood();
          await keys.press(page.getByRole('link', { name: 'Set it on the Keys page' }));
          await keys.choose(button('Actions for shop/console'), page.getByRole('menuitem', { name: 'Edit' }));
          await keys.press(page.getByRole('switch', { name: /^Answer from the stack/ }), 'Space');
          await keys.press(button('Save'));
          await page.getByRole('cell', { name: /retrieval/ }).waitFor();
          await world().visit('playground/chat#stack=shop', 'Chat');
        } else await keys.pick(button(wire));
        upstream.respond({ text: ANSWER });
        await keys.write(field('Message'), 'When do you open on Saturday?');
        await page.keyboard.press('Enter');
        const sources = page.getByRole('list', { name: 'Sources' });
        await keys.press(sources.locator('summary').first());
        await sources.getByText('We open at nine on weekdays and at ten on Saturdays.').waitFor();
        await world().isGood();
        if (wire === 'Chat') await world().picture('chat');
      },
    );

    it('repairs a schema and shows the difference', async () => {
      const { page, keys, button } = world();
      await world().visit('playground/schemas#stack=shop', 'Schemas');
      await page.getByText('May be invented (').waitFor();
      await world().text('"type": ["string", "null"]').waitFor();
      await world().isGood();
      await keys.press(button('Repair'));
      await page.getByText('Nothing to repair').waitFor();
    });
  });
}
