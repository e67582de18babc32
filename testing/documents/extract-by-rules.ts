import { decide } from '../../src/documents/grounded/decide/decide.ts';
import { assemble, dataOf } from '../../src/documents/grounded/fill/assemble.ts';
import { planSchema } from '../../src/documents/grounded/plan/plan-schema.ts';
import { propose } from '../../src/documents/grounded/propose/propose.ts';
import { readEvidence } from '../../src/documents/grounded/read/evidence.ts';
import { sourceFiles } from '../../src/documents/grounded/read/source-text.ts';
import { readFileHints } from '../../src/documents/hints/read-file-hints.ts';
import { emptyPage } from '../../src/reading/page-text.ts';

const never = new AbortController().signal;

/** Files named a.pdf, b.pdf and so on. */
export function filesOf(...texts: readonly (readonly string[])[]) {
  return sourceFiles(
    texts.map((lines, index) => ({
      name: `${'abcdefghij'[index]}.pdf`,
      pages: [{ ...emptyPage, text: lines.join('\n') }],
    })),
  );
}

/** Extracts by rules alone, with every property required. */
export async function extractFrom(
  properties: Readonly<Record<string, unknown>>,
  texts: readonly (readonly string[])[],
  user?: string,
): Promise<unknown> {
  const files = filesOf(...texts);
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  const plan = planSchema(schema);
  const hints = readFileHints({ user, schema, documents: files });
  const read = { files, hints, evidence: readEvidence(files) };
  const proposals = await propose(plan, read, { network: undefined, signal: never });
  return dataOf(assemble(plan, await decide(proposals, read)));
}

/** Extracts from one file by rules alone. */
export function extract(
  properties: Readonly<Record<string, unknown>>,
  lines: readonly string[],
): Promise<unknown> {
  return extractFrom(properties, [lines]);
}
