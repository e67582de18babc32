import { plainLetters } from '../../values/plain-letters.ts';
import { isOrganisation } from '../words/institutions.ts';
import { isAllLabel } from './find-spans.ts';
import type { Segment, SourceLine, SourceText } from './source-text.ts';

const TITLES =
  /^(?:lebenslauf|curriculum(?: vitae)?|cv|resume|boarding pass|admit one|e-?(?:ticket|billet)s?|(?:online-?)?(?:ticket|fahrkarte|eintrittskarte)|biglietto(?: elettronico)?|billet(?: electronique)?|bilhete(?: eletronico)?|entrada|bilet|(?:ergebnis)?protokoll|minutes|notulen|compte[- ]rendu|proces[- ]verbal|acta|ata|verbale|protokol|zyciorys)$/;
/** Figures and small letters make a value of it. */
const CAPITALS = /^[^\p{Ll}\d:]*\p{Lu}{3}[^\p{Ll}\d:]*:?$/u;
/** Letters apart from each other: `I N V O I C E`. */
const SPACED = /^(?:[\p{Lu}'’] ){3,}[\p{Lu}'’]$/u;

const FEWEST_COLUMNS = 3;
/** The share of texts in capitals above which they are nothing special. */
const MOST_CAPITALS = 0.35;

/** Segments that head something: titles of documents, and lines or columns in capitals above others. */
export function headingSegments({ lines }: SourceText): ReadonlySet<Segment> {
  const found = new Set<Segment>();
  const first = lines.findIndex(({ segments }) => segments.length > 0);
  const isTelling = !isMostlyCapitals(lines);
  lines.forEach((line, index) => {
    const { segments } = line;
    const [only] = segments;
    const isSection = segments.length === 1 && index > first && isApart(lines, index);
    const isColumns =
      segments.length > 1 &&
      index > first &&
      (segments.every(({ text }) => CAPITALS.test(text)) || isHeaderRow(lines, index));
    const isName = only !== undefined && isOrganisation(only.text);
    const isHead = (isTelling && CAPITALS.test(only?.text ?? '')) || isIndented(lines, index);
    if (only !== undefined && isSection && !isName && isHead) found.add(only);
    if (isColumns && lines[index + 1]?.segments.length === segments.length)
      for (const segment of segments) found.add(segment);
    for (const segment of segments)
      if (SPACED.test(segment.text) || TITLES.test(plainLetters(segment.text).trim().toLowerCase()))
        found.add(segment);
  });
  return found;
}

/** Whether what stands below a line is moved to the right. */
function isIndented(lines: readonly SourceLine[], index: number): boolean {
  const [own, below] = [lines[index]?.segments[0], lines[index + 1]?.segments[0]];
  return own !== undefined && below !== undefined && below.column > own.column && !/[.,:]$/.test(own.text);
}

/** Whether capitals say nothing, as on receipts. */
function isMostlyCapitals(lines: readonly SourceLine[]): boolean {
  const texts = lines.flatMap(({ segments }) => segments.map(({ text }) => text));
  const worded = texts.filter((text) => /\p{L}{3}/u.test(text));
  return worded.filter((text) => CAPITALS.test(text)).length > MOST_CAPITALS * worded.length;
}

/** Whether a line has nothing above it and something below. */
function isApart(lines: readonly SourceLine[], index: number): boolean {
  const above = lines[index - 1]?.segments.length ?? 0;
  const below = lines.slice(index + 1, index + 3).some(({ segments }) => segments.length > 0);
  return above === 0 && below;
}

/** Whether every other cell is a label, and the ones beside them are values. */
function isLabelled(cells: readonly Segment[]): boolean {
  return cells.length % 2 === 0 && cells.every(({ text }, at) => at % 2 === 1 || isAllLabel(text));
}

/** Whether three or more texts without figures stand above as many, of which some have figures. */
function isHeaderRow(lines: readonly SourceLine[], index: number): boolean {
  const [above, segments = [], cells = []] = [index - 1, index, index + 1].map((at) => lines[at]?.segments);
  if (segments.length < FEWEST_COLUMNS || cells.length !== segments.length || isLabelled(cells)) return false;
  // A row with others above it is in the middle of something.
  if (above?.length === segments.length) return false;
  return (
    segments.every(({ text }) => !/[\d:]/.test(text)) &&
    cells.some(({ text }) => /\d/.test(text)) &&
    cells.every(({ column, text }, at) => {
      const title = segments[at];
      return (
        title !== undefined &&
        column < title.column + title.text.length &&
        title.column < column + text.length
      );
    })
  );
}
