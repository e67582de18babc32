import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../testing/cli-run.ts';
import { closedPort } from '../../testing/closed-port.ts';
import { makeDataFolder } from '../../testing/data-folder.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const answer = {
  data: { shop: 'A <b>& Co', items: [{ price: 1.5 }], note: null },
  pages: 1,
  files: 1,
  ocr_used: true,
  usage: { prompt_tokens: 1, completion_tokens: 1 },
  citations: {
    shop: {
      file: 1,
      file_name: 'x.png',
      page: 1,
      quote: 'A <b>& Co',
      box: { x0: 0.1, y0: 0.2, x1: 0.5, y1: 0.25 },
    },
    items: [{ price: { grounded: false } }],
    note: { grounded: false },
  },
  confidence: { shop: 0.954, items: [{ price: null }], note: 0.5 },
};

/** A gateway with one answer, and a folder with files. */
async function setUp(status = 200, body: object = answer) {
  const folder = makeDataFolder();
  writeFileSync(join(folder, 'x.png'), PNG);
  writeFileSync(join(folder, 'x.pdf'), '%PDF-1.7');
  writeFileSync(join(folder, 'schema.json'), '{"type": "object"}');
  const asked: { path: string | undefined; key: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let sent = '';
    for await (const chunk of request) sent += String(chunk);
    asked.push({ path: request.url, key: request.headers.authorization, body: sent });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const file = (name: string) => join(folder, name);
  const run = (files: readonly string[], ...more: readonly string[]) =>
    runCli(
      [
        'extract',
        ...files.map(file),
        '--schema',
        file('schema.json'),
        '--url',
        url,
        '--key',
        'sk-1',
        ...more,
      ],
      { environment: { STACKGATE_DATA: folder } },
    );
  return { asked, file, run };
}

it('sends the files to the route of their kind, and prints the data', async () => {
  const { asked, run } = await setUp();
  const { code, out } = await run(['x.png', 'x.png'], '--user', 'The shop is in file 1');
  expect([code, JSON.parse(out)]).toEqual([0, answer.data]);
  expect(asked[0]).toMatchObject({ path: '/v1/images/extract', key: 'Bearer sk-1' });
  expect(asked[0]?.body).toContain('The shop is in file 1');
  expect(asked[0]?.body.match(/filename="x\.png"/g)).toHaveLength(2);
  expect(asked[0]?.body).not.toContain('citations');
  await run(['x.pdf']);
  expect(asked[1]?.path).toBe('/v1/documents/extract');
});

it('prints the whole answer, with citations and probabilities, as JSON', async () => {
  const { asked, run } = await setUp();
  expect(JSON.parse((await run(['x.png'], '--json')).out)).toEqual(answer);
  expect(asked[0]?.body).toMatch(/name="citations"\s+true[\s\S]*name="confidence"\s+true/);
});

it('writes a page with every value and box, which needs and runs nothing from outside', async () => {
  const { file, run } = await setUp();
  const { code } = await run(['x.png'], '--html', file('out.html'));
  const html = readFileSync(file('out.html'), 'utf8');
  expect(code).toBe(0);
  expect(html).toContain(`src="data:image/png;base64,${PNG.toString('base64')}"`);
  expect(html).toContain('data-field="0" title="shop" style="left:9.7%;top:19.7%;');
  expect(html).toContain('<span class="name">shop<span>95 %</span></span>');
  expect(html).toContain('<span class="value">A &lt;b&gt;&amp; Co</span>');
  expect(html).toContain('<span class="name">items[1].price</span><span class="value">1.5</span>');
  expect(html).toContain('<span class="value none">none</span>');
  expect(html).toContain('1 of 3 values stand in the document');
  expect(html).not.toMatch(/https?:|<b>|\son\w+=|javascript:/i);
});

it('says what is wrong', async () => {
  const { run } = await setUp(413, { detail: 'The plan allows 1 file.' });
  expect((await run(['x.png'])).err).toContain('the gateway answered 413: The plan allows 1 file.');
  expect((await run(['x.png', 'x.pdf'])).err).toContain('PDFs and pictures cannot be extracted together');
  expect((await run(['missing.png'])).err).toContain('missing.png');
  const nowhere = `http://127.0.0.1:${await closedPort()}`;
  expect((await run(['x.png'], '--url', nowhere)).err).toContain('does not answer');
});
