import { readFileSync } from 'node:fs';

/** A block of shell commands of a document, and the output that the document states. */
export interface ShellBlock {
  readonly script: string;
  readonly line: number;
  readonly output: ShellOutput | undefined;
}

/** The printed output. Of a `sample`, the words of a model, only the first one is certain. */
interface ShellOutput {
  readonly language: string;
  readonly isSample: boolean;
  readonly text: string;
}

const OUTPUTS = new Set(['json', 'text']);
const FENCE = /^```(\w+)?(?: (\w+))?\n(.*?)^```$/gms;

/** The `sh` blocks of a document in their order, each with the block of output that follows it. */
export function shellBlocks(path: string): readonly ShellBlock[] {
  const document = readFileSync(path, 'utf8');
  const fences = [...document.matchAll(FENCE)].map(({ 1: language = '', 2: mark, 3: text = '', index }) => ({
    language,
    isSample: mark === 'sample',
    text,
    line: document.slice(0, index).split('\n').length,
  }));
  return fences.flatMap(({ language, text, line }, at) => {
    if (language !== 'sh') return [];
    const next = fences[at + 1];
    const output = next !== undefined && OUTPUTS.has(next.language) ? next : undefined;
    return [{ script: text, line, output }];
  });
}

/** The real output beside that of the document, both in a form that can be compared; `…` stands for anything. */
export function comparable(printed: string, { language, isSample, text }: ShellOutput) {
  if (isSample) return { printed: firstWord(printed), stated: firstWord(text) };
  if (language === 'json')
    return { printed: asStated(JSON.parse(printed), JSON.parse(text)), stated: JSON.parse(text) };
  return { printed: asStatedText(printed.trim(), text.trim()), stated: text.trim() };
}

function firstWord(text: string): string | undefined {
  return text.trim().split(/\s/)[0];
}

/** The value with only what was stated of it: members that a document leaves out may be there. */
function asStated(value: unknown, stated: unknown): unknown {
  if (typeof stated === 'string' && typeof value === 'string') return asStatedText(value, stated);
  if (Array.isArray(stated) && Array.isArray(value))
    return value.map((member, at) => asStated(member, stated[at]));
  if (!isRecord(stated) || !isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(stated).flatMap((name) =>
      name in value ? [[name, asStated(value[name], stated[name])]] : [],
    ),
  );
}

/** The statement itself where the text is of its form, else the text. */
function asStatedText(text: string, stated: string): string {
  const parts = stated.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+?')}$`, 's').test(text.replaceAll('\r', '')) ? stated : text;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
