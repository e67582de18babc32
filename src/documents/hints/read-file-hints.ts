import type { ExtractionJob, NamedDocument } from '../extractor.ts';
import { FileHints, noHints } from '../file-hints.ts';
import { planSchema } from '../grounded/plan/plan-schema.ts';
import { PartNames } from './part-names.ts';
import { readSentence } from './read-sentence.ts';
import { splitHint } from './split-hint.ts';

interface Told extends Pick<ExtractionJob, 'schema' | 'user'> {
  readonly documents: readonly Pick<NamedDocument, 'name'>[];
}

/** Reads hints from `user` on which file each part of the data is in. The model reads what is not understood. */
export function readFileHints({ user, documents, schema }: Told): FileHints {
  if (user === undefined || documents.length < 2) return noHints;
  const names = new PartNames(planSchema(schema));
  const sentences = splitHint(
    user,
    documents.map(({ name }) => name),
  );
  const sayings = sentences.flatMap((sentence, index) => readSentence(sentence, sentences[index - 1], names));
  const named = new Map<string, Set<number>>();
  const others = new Set<number>();
  for (const { files, parts } of sayings) {
    if (parts.size === 0) addAll(others, files);
    for (const part of parts) named.set(part, addAll(named.get(part) ?? new Set(), files));
  }
  // All files together are not a choice.
  return new FileHints(named, others.size < documents.length ? others : new Set());
}

function addAll(set: Set<number>, more: ReadonlySet<number>): Set<number> {
  for (const one of more) set.add(one);
  return set;
}
