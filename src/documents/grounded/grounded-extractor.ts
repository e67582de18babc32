import type { SchemaService } from '../../schema/service/schema-service.ts';
import type { ValueProblem } from '../../schema/service/value-validator.ts';
import type { TextService } from '../../text/text-service.ts';
import type { DirectExtractor } from '../direct/direct-extractor.ts';
import { extractionConversation, plainConversation } from '../extraction-conversation.ts';
import { type ExtractedData, type ExtractionJob, type Extractor, summed } from '../extractor.ts';
import { isObject } from '../target-schema.ts';
import { assemble, type Filling, type Findings } from './assemble.ts';
import { readEvidence } from './evidence.ts';
import { rankFields } from './field-ranker.ts';
import { dataOf, dataWithout, isComplete } from './filled-data.ts';
import { candidatesOf, fillLists, findingsOf } from './find-values.ts';
import { planSchema } from './plan-schema.ts';
import { refusedPaths } from './refused-paths.ts';
import { type Rest, RestWriter } from './rest-writer.ts';
import type { SchemaPlan } from './schema-plan.ts';
import { type SourceText, sourceText } from './source-text.ts';

export interface GroundedExtractorParts {
  readonly text: Pick<TextService, 'check'>;
  readonly schemas: Pick<SchemaService, 'validate'>;
  /** Writes what no value of the documents can fill. */
  readonly direct: Pick<DirectExtractor, 'attempt'>;
}

/** What is read of each instruction; a small model follows no longer one, and would take minutes to read it. */
const MAX_INSTRUCTION_CHARACTERS = 2_000;

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
    await this.#parts.text.check(caller, { conversation, retrieval: false, meter, signal });
    const job = withShortInstructions(asked);
    const plan = planSchema(job.schema);
    const source = sourceText(job.documents);
    const { findings, promptTokens } = await this.#find(plan, source, { job, signal });
    const filling = await this.#checked({ plan, findings }, job, signal);
    const { data, usage } =
      filling !== undefined && isComplete(filling)
        ? await complete(filling, job, signal)
        : await this.#write(job, { filling, source }, signal);
    return { data, usage: summed(usage, { promptTokens, completionTokens: 0 }) };
  }

  async #find(
    plan: SchemaPlan,
    source: SourceText,
    { job, signal }: { readonly job: ExtractionJob; readonly signal: AbortSignal },
  ): Promise<{ readonly findings: Findings; readonly promptTokens: number }> {
    const lists = fillLists(plan, source);
    const fields = await candidatesOf(plan, readEvidence(source), signal);
    const { ranker } = job.engine;
    if (ranker === undefined) return { findings: findingsOf(fields, lists), promptTokens: 0 };
    const ranked = await rankFields(fields, { ranker, engine: job.engine, job, source, signal });
    return { findings: findingsOf(ranked.fields, lists), promptTokens: ranked.promptTokens };
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
      if (problems.length > 0 || !isObject(data)) throw hurry.reason;
      return await counted(data, job, signal);
    }
  }
}

function withShortInstructions(job: ExtractionJob): ExtractionJob {
  const system = job.system ?? job.caller.stack.systemPrompt;
  return {
    ...job,
    system: system?.slice(0, MAX_INSTRUCTION_CHARACTERS),
    user: job.user?.slice(0, MAX_INSTRUCTION_CHARACTERS),
  };
}

/** What is not there yet will be written. */
function isMissing({ keyword }: ValueProblem): boolean {
  return keyword === 'required';
}

/** The data of a filling to which nothing has to be added. */
async function complete(filling: Filling, job: ExtractionJob, signal: AbortSignal): Promise<ExtractedData> {
  const value = dataOf(filling);
  return await counted(isObject(value) ? value : {}, job, signal);
}

/** Data that nobody wrote costs what the model would have written. */
async function counted(
  data: ExtractedData['data'],
  job: ExtractionJob,
  signal: AbortSignal,
): Promise<ExtractedData> {
  const completionTokens = await tokensOf(data, job, signal);
  job.meter.add({ completionTokens });
  return { data, usage: { promptTokens: 0, completionTokens } };
}

/** The tokens that the model would have written. */
async function tokensOf(
  data: object,
  { engine, caller }: ExtractionJob,
  signal: AbortSignal,
): Promise<number> {
  const count = (text: string) =>
    engine.countTokens(plainConversation(text, { system: undefined }), signal, caller.stack.id);
  const [written, empty] = await Promise.all([count(JSON.stringify(data)), count('')]);
  return Math.max(0, written - empty);
}
