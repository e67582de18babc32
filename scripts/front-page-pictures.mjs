// Makes the pictures of README.md from what a running gateway answers:
//   URL=http://127.0.0.1:8080 KEY=$(cat data/default-key) node scripts/front-page-pictures.mjs
// It asks for an answer, an image, a PDF and an extraction, sets them on one page, and has the gateway print that page too.
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { PdfDocument } from '../dist/reading/pdf/pdf-document.js';
import { Pdfium } from '../dist/reading/pdf/pdfium.js';

const { URL: url, KEY: key } = process.env;
const images = new URL('../docs/images/', import.meta.url);
const PDFIUM_BYTES = 512 * 1024 * 1024;
const QUESTIONS = ['Hello', 'What is the capital of France?'];
const PROMPT = 'a red house under a blue sky';
/** As README.md prints it. */
const INVOICE = /<<'HTML'\n(.*?)\nHTML/s.exec(
  readFileSync(new URL('../README.md', import.meta.url), 'utf8'),
)[1];
const RECEIPT = `<style>@page{size:80mm 72mm;margin:6mm}body{font:13px monospace}p{margin:0 0 5px}</style>
<p><b>CORNER BAKERY</b></p><p>12 Mill Lane, Leeds</p><p>&nbsp;</p><p>Invoice number: R-7311</p><p>Date: 2026-05-02</p><p>&nbsp;</p>
<p>Rye bread &nbsp;&nbsp;&nbsp; 5.20</p><p>Apple cake &nbsp;&nbsp; 9.60</p><p>&nbsp;</p><p><b>Total: 14.80 EUR</b></p>`;
/** As README.md says it. */
const LETTER = 'Write a letter to Ms. Smith that thanks her for her order and says that it ships on Friday.';
const SCHEMA = {
  type: 'object',
  required: ['invoice_number', 'date', 'total', 'iban'],
  properties: {
    invoice_number: { type: ['string', 'null'] },
    date: { type: ['string', 'null'], format: 'date' },
    total: { type: ['number', 'null'] },
    iban: { type: ['string', 'null'] },
  },
};

const pdfium = await Pdfium.open(PDFIUM_BYTES);
const talk = [];
for (const question of QUESTIONS) talk.push({ question, answer: await chat(question) });
const house = await paint();
const invoice = await print(INVOICE);
const { data } = await extract(invoice);
const invoicePage = await drawn(invoice);
await sharp(house).resize(512).webp({ quality: 90 }).toFile(pathOf('first-house.webp'));
await sharp(invoicePage).resize(620).png({ palette: true }).toFile(pathOf('first-invoice.png'));
await sharp(await topOf(await drawn(await write(LETTER))))
  .resize(900)
  .flatten({ background: '#fff' })
  .png({ palette: true })
  .toFile(pathOf('first-letter.png'));
await sharp(await drawn(await print(RECEIPT)))
  .grayscale()
  .png({ palette: true })
  .toFile(pathOf('receipt.png'));
const page = collage({
  talk,
  house: await thumbnail(house, 640),
  invoice: await thumbnail(invoicePage, 640),
  data,
});
await sharp(await drawn(await print(page)))
  .png({ palette: true, quality: 95 })
  .toFile(pathOf('front-page.png'));
console.log(JSON.stringify({ talk, data }, null, 2));

async function call(path, body, headers = { 'content-type': 'application/json' }) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: body instanceof FormData ? body : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function chat(question) {
  const messages = [{ role: 'user', content: question }];
  const body = { model: 'smollm2-135m-instruct', temperature: 0, messages };
  return (await (await call('/v1/chat/completions', body)).json()).choices[0].message.content;
}

async function paint() {
  const painted = await (await call('/v1/images/generations', { prompt: PROMPT, seed: 7 })).json();
  return Buffer.from(painted.data[0].b64_json, 'base64');
}

/** A document that the text model writes. */
async function write(user) {
  return Buffer.from(await (await call('/v1/documents/generate', { user })).arrayBuffer());
}

/** The written part of a short letter. */
async function topOf(picture) {
  const { width, height } = await sharp(picture).metadata();
  return await sharp(picture)
    .extract({ left: 0, top: 0, width, height: Math.round(height * 0.3) })
    .toBuffer();
}

async function print(html) {
  return Buffer.from(await (await call('/v1/documents/generate', { html })).arrayBuffer());
}

async function extract(pdf) {
  const form = new FormData();
  form.set('file', new Blob([pdf], { type: 'application/pdf' }), 'invoice.pdf');
  form.set('schema', JSON.stringify(SCHEMA));
  return await (await call('/v1/documents/extract', form, {})).json();
}

/** The first page of a PDF as PNG. */
async function drawn(pdf) {
  const document = PdfDocument.open(pdfium, pdf);
  const { data: pixels, width, height } = document.drawPage(0);
  document.close();
  return await sharp(pixels, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}

async function thumbnail(picture, width) {
  const png = await sharp(picture).resize(width).png({ palette: true }).toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}

function collage(made) {
  const card = (title, call, body) =>
    `<section><h2>${title}</h2><code class="call">${call}</code><div class="body">${body}</div></section>`;
  const rows = Object.entries(made.data)
    .map(
      ([name, value]) => `<span class="k">"${name}"</span>: <span class="v">${JSON.stringify(value)}</span>`,
    )
    .join(',<br>&nbsp;');
  const exchanges = made.talk
    .map(
      ({ question, answer }) =>
        `<div class="said">${escaped(question)}</div><div class="answer">${escaped(answer)}</div>`,
    )
    .join('');
  return `<!doctype html><style>
@page { size: 8in 3.62in; margin: 0 }
* { box-sizing: border-box }
body { margin: 0; height: 3.62in; padding: 0.26in 0.3in; background: #0f1b2d; color: #e8eef6; font: 10.5px Arimo, sans-serif }
h1 { margin: 0; font-size: 23px; letter-spacing: -0.3px } header p { margin: 3px 0 14px; color: #9fb3c8; font-size: 12px }
main { display: grid; grid-template-columns: repeat(4, 1fr); gap: 11px; height: 2.3in }
section { background: #fff; color: #1b2733; border-radius: 9px; padding: 10px 11px; display: flex; flex-direction: column; overflow: hidden }
h2 { margin: 0 0 2px; font-size: 13px } .call { color: #2563a8; font: 8.2px Cousine, monospace; margin-bottom: 8px; white-space: nowrap }
.body { flex: 1; display: flex; flex-direction: column; min-height: 0 }
.said { align-self: flex-end; background: #2563a8; color: #fff; border-radius: 10px 10px 2px 10px; padding: 6px 10px; margin-bottom: 8px }
.answer { align-self: flex-start; background: #e9eef5; border-radius: 10px 10px 10px 2px; padding: 6px 10px; line-height: 1.35; margin-bottom: 9px }
img { width: 100%; border-radius: 5px; display: block } .paper { border: 1px solid #d5dde6 }
.caption { color: #5a6b7d; margin-top: 7px; line-height: 1.3 }
pre { margin: 0; font: 7.4px/1.7 Cousine, monospace; background: #f3f6fa; border-radius: 5px; padding: 6px 5px } .k { color: #2563a8 } .v { color: #9a3412 }
footer { margin-top: 11px; color: #9fb3c8; font-size: 10.5px; display: flex; justify-content: space-between }
</style><body><header><h1>Stackgate</h1><p>One process, one API key. Every card is an answer of a gateway that was started with npm start.</p></header><main>
${card('Chat', 'POST /v1/chat/completions', exchanges)}
${card('Images', 'POST /v1/images/generations', `<img src="${made.house}"><div class="caption">“${PROMPT}”</div>`)}
${card('PDF', 'POST /v1/documents/generate', `<img class="paper" src="${made.invoice}"><div class="caption">Printed from 13 lines of HTML.</div>`)}
${card('Extraction', 'POST /v1/documents/extract', `<pre>{<br>&nbsp;${rows}<br>}</pre><div class="caption">Read from the PDF beside it, by your JSON Schema. What is not in the document is null, not invented.</div>`)}
</main><footer><span>OpenAI-compatible · Anthropic-compatible · JSON Schema · knowledge · limits and usage per key</span><span>no GPU, no account</span></footer></body>`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function pathOf(name) {
  return new URL(name, images).pathname;
}
