import { Fault } from '../../faults/fault.ts';
import { emptyPage } from '../../reading/page-text.ts';
import type { SchemaService } from '../../schema/service/schema-service.ts';
import type { ValueProblem } from '../../schema/service/value-validator.ts';
import type { TextService } from '../../text/text-service.ts';
import { extractionConversation, plainConversation } from '../extraction-conversation.ts';
import type { ExtractedData, ExtractionJob, ExtractionUsage, Extractor } from '../extractor.ts';
import { assemble, type Filling, type Findings } from './assemble.ts';
import { readEvidence } from './evidence.ts';
import { rankFields } from './field-ranker.ts';
import { dataOf, isComplete, narrowedSchema } from './filled-data.ts';
import { candidatesOf, fillLists, findingsOf } from './find-values.ts';
import type { FieldWords } from './label-words.ts';
import { passageAbout } from './passages.ts';
import { planSchema } from './plan-schema.ts';
import { refusedPaths } from './refused-paths.ts';
import type { SchemaPlan } from './schema-plan.ts';
import { type SourceText, sourceText } from './source-text.ts';

export interface GroundedExtractorParts {
  readonly text: Pick<TextService, 'check'>;
  readonly schemas: Pick<SchemaService, 'validate'>;
  /** Writes what no value of the documents can fill. */
  readonly direct: Extractor;
}

/** What the model reads to write what was not found: reading more of a long document would take minutes. */
const MAX_READ_CHARACTERS = 8_000;

/** Takes values from the documents themselves, and asks the model only to choose among them and to write the rest. */
export class GroundedExtractor implements Extractor {
  readonly #parts: GroundedExtractorParts;

  constructor(parts: GroundedExtractorParts) {
    this.#parts = parts;
  }

  async extract(job: ExtractionJob, signal: AbortSignal): Promise<ExtractedData> {
    const conversation = extractionConversation(job, { temperature: 0, seed: undefined });
    await this.#parts.text.check(job.caller, { conversation, retrieval: false, signal });
    const plan = planSchema(job.schema);
    const source = sourceText(job.documents);
    const { findings, promptTokens } = await this.#find(plan, source, { job, signal });
    const filling = await this.#checked({ plan, findings }, job, signal);
    if (filling === undefined) return withUsage(await this.#parts.direct.extract(job, signal), promptTokens);
    if (!isComplete(filling))
      return withUsage(await this.#write(filling, { job, plan, source }, signal), promptTokens);
    const data = asRecord(dataOf(filling));
    return { data, usage: { promptTokens, completionTokens: await tokensOf(data, job, signal) } };
  }

  async #find(
    plan: SchemaPlan,
    source: SourceText,
    { job, signal }: { readonly job: ExtractionJob; readonly signal: AbortSignal },
  ): Promise<{ readonly findings: Findings; readonly promptTokens: number }> {
    const lists = fillLists(plan, source);
    const fields = candidatesOf(plan, readEvidence(source));
    const { ranker } = job.engine;
    if (ranker === undefined) return { findings: findingsOf(fields, lists), promptTokens: 0 };
    const ranked = await rankFields(fields, { ranker, engine: job.engine, job, source, signal });
    return { findings: findingsOf(ranked.fields, lists), promptTokens: ranked.promptTokens };
  }

  /** What was found, without what the schema refuses; undefined where the schema asks for more than values in places. */
  async #checked(
    { plan, findings }: { readonly plan: SchemaPlan; readonly findings: Findings },
    { schema }: ExtractionJob,
    signal: AbortSignal,
  ): Promise<Filling | undefined> {
    const filling = assemble(plan, findings);
    if (filling.state !== 'object') return undefined;
    const problems = await this.#parts.schemas.validate(schema, dataOf(filling), signal);
    const missing = problems.filter(isMissing);
    const refused = refusedPaths(
      plan,
      problems.filter((problem) => !isMissing(problem)),
    );
    // A complete filling misses only what the schema asks for elsewhere than among its properties.
    if (refused === undefined || (missing.length > 0 && isComplete(filling))) return undefined;
    return refused.size === 0 ? filling : assemble(plan, { ...findings, refused });
  }

  /** Lets the model write what is not there yet, with everything else fixed. */
  async #write(
    filling: Filling,
    {
      job,
      plan,
      source,
    }: { readonly job: ExtractionJob; readonly plan: SchemaPlan; readonly source: SourceText },
    signal: AbortSignal,
  ): Promise<ExtractedData> {
    const text = passageAbout(source, freeWords(plan, filling), MAX_READ_CHARACTERS);
    const [first] = job.documents;
    const documents =
      text === source.text
        ? job.documents
        : [{ name: first?.name ?? '', ocrUsed: false, pages: [{ ...emptyPage, text }] }];
    const schema = narrowedSchema(job.schema, filling);
    try {
      return await this.#parts.direct.extract({ ...job, schema, documents }, signal);
    } catch (error) {
      // What is fixed may leave no way to satisfy the rest of the schema.
      if (!(error instanceof Fault) || !['invalid-request', 'extraction-invalid'].includes(error.code))
        throw error;
      return await this.#parts.direct.extract(job, signal);
    }
  }
}

/** What is not there yet will be written. */
function isMissing({ keyword }: ValueProblem): boolean {
  return keyword === 'required';
}

function freeWords(plan: SchemaPlan, filling: Filling): readonly FieldWords[] {
  if (filling.state === 'free') {
    if (plan.type === 'leaf') return [plan.field.words];
    return plan.type === 'object' ? [] : [plan.words];
  }
  if (plan.type !== 'object' || filling.state !== 'object') return [];
  return plan.properties.flatMap((property) => {
    const member = filling.members.get(property.name);
    return member === undefined ? [] : freeWords(property.plan, member);
  });
}

function withUsage({ data, usage }: ExtractedData, promptTokens: number): ExtractedData {
  const summed: ExtractionUsage = { ...usage, promptTokens: usage.promptTokens + promptTokens };
  return { data, usage: summed };
}

/** The tokens that the model would have written. */
async function tokensOf(data: object, { engine }: ExtractionJob, signal: AbortSignal): Promise<number> {
  const count = (text: string) => engine.countTokens(plainConversation(text, { system: undefined }), signal);
  const [written, empty] = await Promise.all([count(JSON.stringify(data)), count('')]);
  return Math.max(0, written - empty);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
