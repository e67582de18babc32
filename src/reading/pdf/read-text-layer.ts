import type { Glyph, TextLayer } from './glyph.ts';
import type { Pdfium } from './pdfium.ts';

const HIDDEN = 3;
/** More than on any readable page. */
const MAX_CHARACTERS = 400_000;
const MAX_CODE_POINT = 0x10ffff;

/** Reads every character with its position. The page's rotation must be 0, otherwise letters come backwards. */
export function readTextLayer(pdfium: Pdfium, page: number): TextLayer {
  const { api } = pdfium;
  const handle = api.FPDFText_LoadPage(page);
  const glyphs: (Glyph | undefined)[] = [];
  const counts = { characters: 0, unmapped: 0, hidden: 0 };
  if (handle === 0) return { glyphs, ...counts };
  const total = Math.min(MAX_CHARACTERS, api.FPDFText_CountChars(handle));
  for (let index = 0; index < total; index += 1) {
    const code = api.FPDFText_GetUnicode(handle, index);
    const text = characterOf(code, api.FPDFText_IsHyphen(handle, index) === 1);
    if (text === undefined) {
      glyphs.push(undefined);
      continue;
    }
    counts.characters += 1;
    if (isUnmapped(text, api.FPDFText_HasUnicodeMapError(handle, index) === 1)) counts.unmapped += 1;
    const object = api.FPDFText_GetTextObject(handle, index);
    if (object !== 0 && api.FPDFTextObj_GetTextRenderMode(object) === HIDDEN) counts.hidden += 1;
    glyphs.push({ text, ...placeOf(pdfium, handle, index) });
  }
  api.FPDFText_ClosePage(handle);
  return { glyphs, ...counts };
}

/** Undefined for separators. Ligatures and contextual forms become plain letters. */
function characterOf(code: number, isHyphen: boolean): string | undefined {
  if (isHyphen) return '-';
  if (code === 0 || code > MAX_CODE_POINT) return code === 0 ? undefined : '\ufffd';
  const text = String.fromCodePoint(code);
  if (/\s|\u200b|\ufeff/u.test(text)) return undefined;
  return /[\ufb00-\ufdff\ufe70-\ufefc]/u.test(text) ? text.normalize('NFKC').trim() : text;
}

function isUnmapped(text: string, hasMapError: boolean): boolean {
  return hasMapError || /[\p{Cc}\p{Co}\p{Cn}\ufffd]/u.test(text);
}

function placeOf(pdfium: Pdfium, handle: number, index: number): Omit<Glyph, 'text'> {
  const { api, scratch } = pdfium;
  api.FPDFText_GetMatrix(handle, index, scratch);
  const [dx = 1, dy = 0] = pdfium.floats(2);
  api.FPDFText_GetLooseCharBox(handle, index, scratch);
  const [left = 0, top = 0, right = 0, bottom = 0] = pdfium.floats(4);
  return { left, right, top, bottom, turn: quarterTurns(dx, dy) };
}

function quarterTurns(dx: number, dy: number): Glyph['turn'] {
  const turns = (Math.round(Math.atan2(dy, dx) / (Math.PI / 2)) + 4) % 4;
  return turns === 1 || turns === 2 || turns === 3 ? turns : 0;
}
