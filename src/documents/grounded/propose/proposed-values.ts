import type { FieldFinder } from '../../../reading/fields/field-finder.ts';
import type { ExtractionJob } from '../../extractor.ts';
import { pointerOf } from '../../json-pointer.ts';
import { askFields, type PlannedQuestion } from '../plan/ask-fields.ts';
import { planSchema } from '../plan/plan-schema.ts';
import { listsOf, type SchemaPlan } from '../plan/schema-plan.ts';
import { type Evidence, readEvidence } from '../read/evidence.ts';
import { sourceFiles } from '../read/source-text.ts';
import { spanValue } from './cell-value.ts';
import { type AnsweredPage, askNetwork, joinedField } from './network-answers.ts';
import { networkList } from './network-lists.ts';

/** Less likely values would rather mislead. */
const LEAST_PROBABILITY = 0.5;
/** About 1,300 tokens; lists at the end are cut at an item. */
const MOST_CHARACTERS = 4_000;

type ProposingJob = Pick<ExtractionJob, 'schema' | 'documents' | 'caller' | 'leisure' | 'meter'>;

/** Proposals of the field finder for a schema, a line each for a prompt; undefined if there are none. */
export async function proposedValues(
  { schema, documents, caller, leisure, meter }: ProposingJob,
  finder: FieldFinder,
  signal: AbortSignal,
): Promise<string | undefined> {
  const plan = planSchema(schema);
  const files = sourceFiles(documents);
  const asked = askFields(plan);
  const pages = await askNetwork(asked, files, {
    finder,
    stackId: caller.stack.id,
    span: meter.trace,
    leisure,
    signal,
  });
  const evidence = readEvidence(files);
  const lines = [...fieldLines(asked, pages, evidence), ...listLines(plan, pages, evidence)];
  const kept: string[] = [];
  let left = MOST_CHARACTERS;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  return kept.length === 0 ? undefined : kept.join('\n');
}

function fieldLines(
  { fields }: PlannedQuestion,
  pages: readonly AnsweredPage[],
  evidence: readonly Evidence[],
): readonly string[] {
  return fields.flatMap((field) => {
    const answer = joinedField(pages, field);
    const span = answer?.isTold === true ? answer.spans[0] : undefined;
    const read = evidence.find(({ file }) => file === span?.file);
    if (span === undefined || read === undefined || span.probability < LEAST_PROBABILITY) return [];
    const value = spanValue(field, span.text, read.context);
    return value === undefined ? [] : [line(field.path, value, span.probability)];
  });
}

/** An item of a list has no calibrated probability. */
function listLines(
  plan: SchemaPlan,
  pages: readonly AnsweredPage[],
  evidence: readonly Evidence[],
): readonly string[] {
  return listsOf(plan).flatMap(({ list, path }) =>
    (networkList(list, pages, evidence)?.items ?? []).map(({ value }, index) =>
      line([...path, String(index)], value),
    ),
  );
}

function line(path: readonly string[], value: unknown, probability?: number): string {
  const sure = probability === undefined ? '' : ` (${probability.toFixed(2)})`;
  return `${pointerOf(path)}: ${JSON.stringify(value)}${sure}`;
}
