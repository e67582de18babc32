import { isRecord } from '../../lib/json-record.ts';
import type { SchemaService } from '../../schema/service/schema-service.ts';
import type { ValueProblem } from '../../schema/service/value-validator.ts';
import type { TextService } from '../../text/text-service.ts';
import type { DirectExtractor } from '../direct/direct-extractor.ts';
import { extractionConversation, plainConversation } from '../extraction-conversation.ts';
import type { ExtractedData, ExtractionJob, Extractor } from '../extractor.ts';
import type { FileHints } from '../file-hints.ts';
import { outputTooLong } from '../refused-output.ts';
import { assemble, type Filling, type Findings } from './assemble.ts';
import { readEvidence } from './evidence.ts';
import { rankFields } from './field-ranker.ts';
import { dataOf, dataWithout, isComplete } from './filled-data.ts';
import { candidatesOf, fillLists, findingsOf } from './find-values.ts';
import { originsOf } from './origins.ts';
import { planSchema } from './plan-schema.ts';
import { refusedPaths } from './refused-paths.ts';
import { type Rest, RestWriter } from './rest-writer.ts';
import type { SchemaPlan } from './schema-plan.ts';
import { sourceFiles } from './source-text.ts';

export interface GroundedExtractorParts {
  readonly text: Pick<TextService, 'check'>;
  readonly schemas: Pick<SchemaService, 'validate'>;
  /** Writes what no value of the documents can fill. */
  readonly direct: Pick<DirectExtractor, 'attempt'>;
  /** Reads what the caller says about where each part of the data is found. */
  readonly readHints: (job: Pick<ExtractionJob, 'schema' | 'user' | 'documents'>) => FileHints;
}

/** Takes values from the documents themselves, and asks the model only to choose among them and to write the rest. */
export class GroundedExtractor implements Extractor {
  readonly #parts: GroundedExtractorParts;
  readonly #writer: RestWriter;

  constructor(parts: GroundedExtractorParts) {
    this.#parts = parts;
    this.#writer = new RestWriter(parts);
  }

  async extract(asked: ExtractionJob, signal: AbortSignal): Promise<ExtractedData> {
    const conversation = extractionConversation(asked, { temperature: 0, seed: undefined });
    const { caller, meter } = asked;
    const promptTokens = await this.#parts.text.check(caller, {
      conversation,
      retrieval: false,
      meter,
      signal,
    });
    meter.add({ promptTokens });
    // What ranks goes to the engine by itself, and has to bring along the prompt of the stack.
    const job = { ...asked, system: asked.system ?? caller.stack.systemPrompt };
    const plan = planSchema(job.schema);
    const files = sourceFiles(job.documents);
    const hints = this.#parts.readHints(job);
    const findings = await this.#find(plan, { files, hints }, { job, signal });
    const filling = await this.#checked({ plan, findings }, job, signal);
    const extracted =
      filling !== undefined && isComplete(filling)
        ? completeData(filling)
        : await this.#write(job, { filling, files, hints }, signal);
    await chargeData(extracted, job, signal);
    return { ...extracted, origins: originsOf(findings, plan, files) };
  }

  async #find(
    plan: SchemaPlan,
    { files, hints }: Pick<Rest, 'files' | 'hints'>,
    { job, signal }: { readonly job: ExtractionJob; readonly signal: AbortSignal },
  ): Promise<Findings> {
    const lists = fillLists(plan, files, hints);
    const fields = await candidatesOf(plan, { evidence: readEvidence(files), hints }, signal);
    const { ranker } = job.engine;
    if (ranker === undefined) return findingsOf(fields, lists);
    return findingsOf(await rankFields(fields, { ranker, engine: job.engine, job, files, signal }), lists);
  }

  /** What was found, without what the schema refuses; undefined where the schema asks for more than values in places. */
  async #checked(
    { plan, findings }: { readonly plan: SchemaPlan; readonly findings: Findings },
    { schema, caller }: ExtractionJob,
    signal: AbortSignal,
  ): Promise<Filling | undefined> {
    const filling = assemble(plan, findings);
    if (filling.state !== 'object') return undefined;
    const problems = await this.#parts.schemas.validate(schema, dataOf(filling), {
      stackId: caller.stack.id,
      signal,
    });
    const missing = problems.filter(isMissing);
    const refused = refusedPaths(
      plan,
      problems.filter((problem) => !isMissing(problem)),
    );
    // A complete filling misses only what the schema asks for elsewhere than among its properties.
    if (refused === undefined || (missing.length > 0 && isComplete(filling))) return undefined;
    return refused.size === 0 ? filling : assemble(plan, { ...findings, refused });
  }

  /** Lets the model write the rest; where there is no time for it, the rest stays empty if it may. */
  async #write(job: ExtractionJob, rest: Rest, signal: AbortSignal): Promise<ExtractedData> {
    const { hurry, schema, caller } = job;
    try {
      hurry.throwIfAborted();
      return await this.#writer.write(job, rest, AbortSignal.any([signal, hurry]));
    } catch (error) {
      signal.throwIfAborted();
      if (!hurry.aborted || rest.filling === undefined) throw hurry.aborted ? hurry.reason : error;
      const data = dataWithout(rest.filling, schema, schema);
      const problems = await this.#parts.schemas.validate(schema, data, { stackId: caller.stack.id, signal });
      if (problems.length > 0 || !isRecord(data)) throw hurry.reason;
      return { data };
    }
  }
}

/** What is not there yet will be written. */
function isMissing({ keyword }: ValueProblem): boolean {
  return keyword === 'required';
}

/** The data of a filling to which nothing has to be added. */
function completeData(filling: Filling): ExtractedData {
  const value = dataOf(filling);
  return { data: isRecord(value) ? value : {} };
}

/** Data costs what it takes to write it, whoever did, and may cost no more than was asked for. */
async function chargeData({ data }: ExtractedData, job: ExtractionJob, signal: AbortSignal): Promise<void> {
  const { meter, maxTokens } = job;
  const tokens = await tokensOf(data, job, signal);
  meter.add({ completionTokens: tokens });
  if (tokens > maxTokens) throw outputTooLong(data, { tokens, maxTokens });
}

/** The tokens that the model would have written. */
async function tokensOf(
  data: object,
  { engine, caller }: ExtractionJob,
  signal: AbortSignal,
): Promise<number> {
  const { id: stackId, cacheScope } = caller.stack;
  const count = (text: string) =>
    engine.countTokens(plainConversation(text, { system: undefined, cacheScope }), signal, { stackId });
  const [written, empty] = await Promise.all([count(JSON.stringify(data)), count('')]);
  return Math.max(0, written - empty);
}
