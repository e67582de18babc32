import type { CandidateRanker } from '../../../text/candidate-ranker.ts';
import type { Conversation } from '../../../text/conversation.ts';
import type { TextEngine } from '../../../text/text-engine.ts';
import { plainConversation } from '../../extraction-conversation.ts';
import type { ExtractionJob } from '../../extractor.ts';
import type { Candidate, FieldCandidates } from '../propose/candidate.ts';
import { passageAround, wholeText } from '../read/passages.ts';
import type { SourceFile } from '../read/source-text.ts';

/** Fields the model ranks; each costs up to about three seconds of one core. */
const MAX_FIELDS = 16;
/** Tokens read for all fields together: half a minute of one core. Rules decide the rest. */
const MAX_READ_TOKENS = 10_000;
/**
 * Instructions are read once for all fields, and again for writing. Longer ones are used for writing only, since reading is
 * quadratic in length.
 */
const MAX_INSTRUCTION_TOKENS = 4_000;
/** Shorter texts are shown whole for every field: they are read only once. */
const MAX_WHOLE_CHARACTERS = 4_000;
/** Passage per field of a longer text: about 400 tokens. */
const MAX_PASSAGE_CHARACTERS = 1_500;
/** With this lead, the rules are trusted without the model. */
const SURE_MARGIN = 0.5;
const MAX_CANDIDATES = 4;
const KEPT = 2;
/** Weight of the model's likelihood, and the most it may subtract. */
const LIKELIHOOD_WEIGHT = 0.15;
const MOST_COST = 0.6;

interface RankedField {
  readonly entry: FieldCandidates;
  readonly promptTokens: number;
}

/** Who ranks, and what it reads. */
export interface Asking {
  readonly ranker: CandidateRanker;
  readonly engine: TextEngine;
  readonly job: Pick<ExtractionJob, 'system' | 'user' | 'caller' | 'meter' | 'leisure'>;
  readonly files: readonly SourceFile[];
  readonly signal: AbortSignal;
}

/** Has the model rank the candidates the rules cannot decide. */
export async function rankFields(
  fields: readonly FieldCandidates[],
  asking: Asking,
): Promise<readonly FieldCandidates[]> {
  const undecided = fields.filter(isUndecided).slice(0, MAX_FIELDS);
  const ranked = new Map<FieldCandidates, FieldCandidates>();
  const instructionTokens = undecided.length === 0 ? 0 : await tokensOfInstructions(asking);
  if (instructionTokens > MAX_INSTRUCTION_TOKENS) return fields;
  let readTokens = 0;
  // Sequentially, so that the shared prefix is read once.
  for (const entry of undecided) {
    if (asking.job.leisure.aborted || readTokens > MAX_READ_TOKENS) break;
    const answer = await rankInTime(entry, asking);
    if (answer === undefined) break;
    ranked.set(entry, answer.entry);
    const newTokens = answer.promptTokens - instructionTokens;
    readTokens = isReadWhole(asking.files) ? newTokens : readTokens + newTokens;
  }
  return fields.map((entry) => ranked.get(entry) ?? entry);
}

/** Whether the best two scores are close. */
function isUndecided({ candidates }: FieldCandidates): boolean {
  const [best] = candidates;
  const next = candidates.find(({ value }) => value !== best?.value);
  return best !== undefined && next !== undefined && best.score - next.score < SURE_MARGIN;
}

/** Undefined if time ran out meanwhile. */
async function rankInTime(entry: FieldCandidates, asking: Asking): Promise<RankedField | undefined> {
  const { signal, job } = asking;
  try {
    return await rankField(entry, { ...asking, signal: AbortSignal.any([signal, job.leisure]) });
  } catch (error) {
    signal.throwIfAborted();
    if (job.leisure.aborted) return undefined;
    throw error;
  }
}

async function rankField(unranked: FieldCandidates, asking: Asking): Promise<RankedField> {
  const { field, candidates } = unranked;
  const texts = Array.from(new Set(candidates.map(({ text }) => text))).slice(0, MAX_CANDIDATES);
  const { ranker, engine, job, signal } = asking;
  const conversation = asked(job, passageOf(asking.files, candidates));
  const order = {
    conversation,
    prefix: `${field.label}: `,
    candidates: texts.map((text) => `${text}\n`),
    k: KEPT,
    stackId: job.caller.stack.id,
  };
  const [best, promptTokens] = await Promise.all([
    ranker.rank(order, signal),
    engine.countTokens(conversation, signal, { stackId: job.caller.stack.id, span: job.meter.trace }),
  ]);
  const costs = new Map(best.map(({ index, logProbability }) => [texts[index], logProbability]));
  const top = Math.max(...costs.values());
  const cost = ({ text }: Candidate) =>
    Math.min(MOST_COST, LIKELIHOOD_WEIGHT * (top - (costs.get(text) ?? Number.NEGATIVE_INFINITY)));
  const judged = candidates.map((candidate) => ({ ...candidate, score: candidate.score - cost(candidate) }));
  return {
    entry: { ...unranked, candidates: judged.toSorted((one, other) => other.score - one.score) },
    promptTokens,
  };
}

/** The ranking prompt. The caller's instructions come first, as a prefix shared by all fields. */
function asked({ system, user, caller }: Asking['job'], ...text: readonly string[]): Conversation {
  const context = user === undefined ? [] : [user];
  // Ranking bypasses the prompt builder, which sets the scope otherwise.
  const { cacheScope } = caller.stack;
  return plainConversation([...context, ...text].join('\n\n'), { system, cacheScope });
}

async function tokensOfInstructions({ engine, job, signal }: Asking): Promise<number> {
  return await engine.countTokens(asked(job), signal, { span: job.meter.trace });
}

function isReadWhole(files: readonly SourceFile[]): boolean {
  return files.reduce((sum, { source }) => sum + source.text.length, 0) <= MAX_WHOLE_CHARACTERS;
}

function passageOf(files: readonly SourceFile[], candidates: readonly Candidate[]): string {
  if (isReadWhole(files)) return wholeText(files);
  return passageAround(
    files,
    candidates.slice(0, MAX_CANDIDATES).map(({ start }) => start),
    MAX_PASSAGE_CHARACTERS,
  );
}
