import { createHash } from 'node:crypto';
import type { ExtractedField, FieldBox } from './extracted-fields.ts';
import type { PagePicture } from './page-pictures.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';

export interface ExtractionPage {
  readonly fields: readonly ExtractedField[];
  readonly pages: readonly PagePicture[];
}

/** Boxes are drawn a little larger than the words. */
const MARGIN = 0.003;

/** Writes an HTML page, whole in itself, that shows documents with the box and value of every field. */
export function extractionPage({ fields, pages }: ExtractionPage): string {
  const names = [...new Set(pages.map(({ fileName }) => fileName))].join(', ');
  const found = fields.filter(({ place }) => place !== undefined).length;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src '${hashOf(PAGE_SCRIPT)}'">
<title>${escaped(names)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<div class="split">
<main>
${pages.map((page) => figure(page, fields)).join('\n')}
</main>
<aside>
<header><h1>${escaped(names)}</h1><p>${found} of ${fields.length} values stand in the document</p></header>
<ul>
${fields.map(listItem).join('\n')}
</ul>
</aside>
</div>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function figure(picture: PagePicture, fields: readonly ExtractedField[]): string {
  const { file, fileName, page, mediaType, bytes } = picture;
  const title = escaped(`${fileName}, page ${page}`);
  const image =
    bytes === undefined
      ? '<div class="missing">This page cannot be drawn.</div>'
      : `<img alt="${title}" src="data:${mediaType};base64,${bytes.toString('base64')}">`;
  const boxes = fields.flatMap(({ name, place }, index) =>
    place?.file === file && place.page === page
      ? [
          `<button type="button" class="box" data-field="${index}" title="${escaped(name)}" style="${styleOf(place.box)}"></button>`,
        ]
      : [],
  );
  return `<figure><figcaption>${title}</figcaption><div class="page">${image}${boxes.join('')}</div></figure>`;
}

function styleOf({ x0, y0, x1, y1 }: FieldBox): string {
  const [left, top] = [share(x0 - MARGIN), share(y0 - MARGIN)];
  return `left:${left}%;top:${top}%;width:${share(x1 + MARGIN) - left}%;height:${share(y1 + MARGIN) - top}%`;
}

/** Whole hundredths of a percent, so that no number is written with an exponent. */
function share(part: number): number {
  return Math.round(Math.min(1, Math.max(0, part)) * 10_000) / 100;
}

function listItem({ name, value, place, confidence }: ExtractedField, index: number): string {
  const sure = confidence === undefined ? '' : `<span>${Math.round(confidence * 100)} %</span>`;
  const shown =
    value === null
      ? '<span class="value none">none</span>'
      : `<span class="value">${escaped(typeof value === 'string' ? value : JSON.stringify(value))}</span>`;
  const quote =
    place === undefined ? '' : `<span class="quote">page ${place.page}: “${escaped(place.quote)}”</span>`;
  return `<li><button type="button" class="field" data-field="${index}"><span class="name">${escaped(name)}${sure}</span>${shown}${quote}</button></li>`;
}

function hashOf(script: string): string {
  return `sha256-${createHash('sha256').update(script).digest('base64')}`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
