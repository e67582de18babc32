import { readPage } from './draft-page.ts';
import { instructionFacts } from './instruction-facts.ts';
import { numbersIn, saidNumbersIn } from './numbers-in.ts';
import { tableFaults } from './table-faults.ts';

/** The faults of a document, one text each. */
export interface DraftFaults {
  /** It is no document to print. */
  readonly form: readonly string[];
  /** It lacks numbers, names or a part of a clause, or has numbers that were not said or belong elsewhere. */
  readonly facts: readonly string[];
  /** It says things twice, or its tables are uneven. */
  readonly layout: readonly string[];
}

/** Longer ones are not checked: the check runs where requests are served. */
const LONGEST_INSTRUCTION = 8_192;
const LONGEST_HTML = 32_768;
const NONE: DraftFaults = { form: [], facts: [], layout: [] };
const BEGINNING = /^<(?:!doctype|html)\b/i;
const ENDING = /<\/html>$/i;
const CODE = /```|\{[^{}]{0,300}:[^{}]{0,300}\}/;
/** How an instruction begins that no document begins with. */
const ORDER =
  /^(?:please|can you|could you|i need|i want|we need|compose|create|draft|make|prepare|produce|write)\s+\S+\s+\S+/;
/** Numbers of a list or of headings. */
const LINE_NUMBER = /^\d{1,2}[.)] /;
/** Shorter lines may be for several signatures, or in several rows. */
const SHORTEST_REPEATED = 30;
/** Shorter beginnings of words say too little. */
const SHORTEST_STEM = 4;
const ENDING_LETTERS = 3;

/** Compares a document with the instruction that it was written for. */
export function draftFaults(instruction: string, html: string): DraftFaults {
  if (instruction.length > LONGEST_INSTRUCTION || html.length > LONGEST_HTML) return NONE;
  const { lines, tables } = readPage(html);
  const text = lines.join('\n');
  const ofTables = tables.map((table) => tableFaults(table, instruction));
  const misplaced = ofTables.flatMap((faults) => faults.misplaced);
  return {
    form: formFaults(html, text, instruction),
    facts: [...missingFacts(instruction, text), ...inventedNumbers(instruction, lines), ...misplaced],
    layout: [...repeatedLines(lines), ...ofTables.flatMap(({ layout }) => layout)],
  };
}

function formFaults(html: string, text: string, instruction: string): readonly string[] {
  const faults: string[] = [];
  if (!BEGINNING.test(html) || !ENDING.test(html)) faults.push('no whole document');
  if (text === '') faults.push('nothing printed');
  if (CODE.test(text)) faults.push('code printed');
  const order = ORDER.exec(fold(instruction))?.[0];
  if (order !== undefined && fold(text).startsWith(order)) faults.push('the instruction printed');
  return faults;
}

function missingFacts(instruction: string, text: string): readonly string[] {
  const { numbers, names, clauses } = instructionFacts(instruction);
  const printed = saidNumbersIn(text);
  const folded = fold(text);
  const lacks = (word: string) => !folded.includes(word);
  return [
    ...numbers.filter((number) => !printed.has(number)),
    ...names.filter((name) => lacks(fold(name))),
    ...clauses.flatMap((clause) => leftOut(clause, (word) => lacks(stem(fold(word))))),
  ].map((fact) => `missing: ${fact}`);
}

/** Words in a row that are missing. A single one may have been said in another way. */
function leftOut(clause: readonly string[], isMissing: (word: string) => boolean): readonly string[] {
  const rows: string[][] = [[]];
  for (const word of clause) {
    if (isMissing(word)) rows.at(-1)?.push(word);
    else rows.push([]);
  }
  return rows.filter(({ length }) => length > 1).map((row) => row.join(' '));
}

function inventedNumbers(instruction: string, lines: readonly string[]): readonly string[] {
  const said = saidNumbersIn(instruction);
  const printed = lines.flatMap((line) => numbersIn(line.replace(LINE_NUMBER, '')));
  return [...new Set(printed)].filter((number) => !said.has(number)).map((number) => `invented: ${number}`);
}

function repeatedLines(lines: readonly string[]): readonly string[] {
  const long = lines.filter(({ length }) => length >= SHORTEST_REPEATED);
  return long.filter((line, index) => long.indexOf(line) !== index).map((line) => `repeated: ${line}`);
}

function fold(text: string): string {
  return text.toLowerCase().replaceAll('’', "'");
}

/** `repairing` and `repaired` are the same word. */
function stem(word: string): string {
  return word.slice(0, Math.max(SHORTEST_STEM, word.length - ENDING_LETTERS));
}
