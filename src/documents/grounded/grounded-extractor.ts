import type { ValueProblem } from '@stackgate/json-schema-grammar';
import { isRecord } from '../../lib/json-record.ts';
import type { FieldFinder } from '../../reading/fields/field-finder.ts';
import type { SchemaService } from '../../schema/service/schema-service.ts';
import type { TextService } from '../../text/text-service.ts';
import type { DirectExtractor } from '../direct/direct-extractor.ts';
import { extractionConversation, plainConversation } from '../extraction-conversation.ts';
import type { ExtractedData, ExtractionJob, Extractor } from '../extractor.ts';
import type { FileHints } from '../file-hints.ts';
import { outputTooLong } from '../refused-output.ts';
import { citationsOf, confidenceOf, leafSources, originsOf } from './check/provenance.ts';
import { refusedPaths } from './check/refused-paths.ts';
import { decide, type Findings } from './decide/decide.ts';
import { type Asking, rankFields } from './decide/field-ranker.ts';
import { assemble, dataOf, dataWithout, type Filling, isComplete } from './fill/assemble.ts';
import { type Rest, RestWriter } from './fill/rest-writer.ts';
import { planSchema } from './plan/plan-schema.ts';
import type { SchemaPlan } from './plan/schema-plan.ts';
import type { FieldCandidates } from './propose/candidate.ts';
import type { NetworkAsking } from './propose/network-answers.ts';
import { propose } from './propose/propose.ts';
import { readEvidence } from './read/evidence.ts';
import { sourceFiles } from './read/source-text.ts';

export interface GroundedExtractorParts {
  readonly text: Pick<TextService, 'check'>;
  readonly schemas: Pick<SchemaService, 'validate'>;
  /** Writes what the documents cannot fill. */
  readonly direct: Pick<DirectExtractor, 'attempt'>;
  /** Points at values; absent: rules alone find them. */
  readonly finder?: FieldFinder;
  /** Parses the caller's hints on which file each part is in. */
  readonly readHints: (job: Pick<ExtractionJob, 'schema' | 'user' | 'documents'>) => FileHints;
}

/** Takes values from the documents; the model only chooses among them and writes the rest. */
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
    // Ranking calls the engine directly, so it must add the stack's system prompt.
    const job = { ...asked, system: asked.system ?? caller.stack.systemPrompt };
    const plan = planSchema(job.schema);
    const files = sourceFiles(job.documents);
    const hints = this.#parts.readHints(job);
    const evidence = readEvidence(files);
    const read = { files, hints, evidence };
    const proposals = await propose(plan, read, { network: this.#network(job), signal });
    const findings = await decide(proposals, read, (fields) => ranked(fields, { files, job, signal }));
    const filling = await this.#checked({ plan, findings }, job, signal);
    const extracted =
      filling !== undefined && isComplete(filling)
        ? completeData(filling)
        : await this.#write(job, { filling, files, hints }, signal);
    await chargeData(extracted, job, signal);
    const { data } = extracted;
    const sources = leafSources(plan, findings, files);
    return {
      data,
      origins: originsOf(findings, plan, files),
      sources: citationsOf(data, sources),
      confidence: confidenceOf(data, sources),
    };
  }

  #network({ caller, leisure, meter }: ExtractionJob): NetworkAsking | undefined {
    const { finder } = this.#parts;
    return finder === undefined
      ? undefined
      : { finder, stackId: caller.stack.id, span: meter.trace, leisure };
  }

  /** The values that satisfy the schema; undefined if the schema requires more than its properties. */
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
    // A complete filling only lacks what is required outside `properties`.
    if (refused === undefined || (missing.length > 0 && isComplete(filling))) return undefined;
    return refused.size === 0 ? filling : assemble(plan, { ...findings, refused });
  }

  /** Has the model write the rest; if there is no time, the rest stays empty where allowed. */
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

async function ranked(
  fields: readonly FieldCandidates[],
  { files, job, signal }: Omit<Asking, 'ranker' | 'engine' | 'job'> & { readonly job: ExtractionJob },
): Promise<readonly FieldCandidates[]> {
  const { engine } = job;
  const { ranker } = engine;
  return ranker === undefined ? fields : await rankFields(fields, { ranker, engine, job, files, signal });
}

/** Missing values are written later. */
function isMissing({ keyword }: ValueProblem): boolean {
  return keyword === 'required';
}

function completeData(filling: Filling): ExtractedData {
  const value = dataOf(filling);
  return { data: isRecord(value) ? value : {} };
}

/** Data is charged as if the model had written it, and must fit `max_tokens`. */
async function chargeData({ data }: ExtractedData, job: ExtractionJob, signal: AbortSignal): Promise<void> {
  const { meter, maxTokens } = job;
  const tokens = await tokensOf(data, job, signal);
  meter.add({ completionTokens: tokens });
  if (tokens > maxTokens) throw outputTooLong(data, { tokens, maxTokens });
}

/** The tokens the model would have needed. */
async function tokensOf(
  data: object,
  { engine, caller, meter: { trace: span } }: ExtractionJob,
  signal: AbortSignal,
): Promise<number> {
  const { id: stackId, cacheScope } = caller.stack;
  const count = (text: string) =>
    engine.countTokens(plainConversation(text, { system: undefined, cacheScope }), signal, { stackId, span });
  const [written, empty] = await Promise.all([count(JSON.stringify(data)), count('')]);
  return Math.max(0, written - empty);
}
