import { Fault } from '../../../faults/fault.ts';
import { emptyPage } from '../../../reading/page-text.ts';
import type { SchemaService } from '../../../schema/service/schema-service.ts';
import {
  type AttemptOutcome,
  type DirectExtractor,
  FIRST_ATTEMPT,
  SECOND_ATTEMPT,
} from '../../direct/direct-extractor.ts';
import { type Attempt, plainConversation } from '../../extraction-conversation.ts';
import { CallMeter } from '../../extraction-meter.ts';
import { documentBlocks } from '../../extraction-prompt.ts';
import type { ExtractedData, ExtractionJob, NamedDocument } from '../../extractor.ts';
import type { FileHints } from '../../file-hints.ts';
import { invalidOutput } from '../../refused-output.ts';
import type { ObjectSchema } from '../../target-schema.ts';
import { passagesAbout } from '../read/passages.ts';
import type { SourceFile } from '../read/source-text.ts';
import type { FieldWords } from '../words/label-words.ts';
import { completedData, type Filling, freePaths } from './assemble.ts';
import { boundedSchema, restSchema, schemaWords } from './rest-schema.ts';

export interface RestWriterParts {
  readonly schemas: Pick<SchemaService, 'validate'>;
  readonly direct: Pick<DirectExtractor, 'attempt'>;
}

/** The parts that are missing. */
export interface Rest {
  /** Undefined if none of the values found can be kept. */
  readonly filling: Filling | undefined;
  readonly files: readonly SourceFile[];
  readonly hints: FileHints;
}

/** Bounds of the model's prompt. */
interface ReadingBounds {
  readonly tokens: number;
  readonly characters: number;
  /** A longer schema is not shown; the grammar still enforces it. */
  readonly schemaCharacters: number;
}

/** Twice the length takes up to four times as long, and slows down every token written. */
const AT_LEISURE: ReadingBounds = { tokens: 1_500, characters: 5_000, schemaCharacters: 3_000 };
const IN_HASTE: ReadingBounds = { tokens: 400, characters: 1_500, schemaCharacters: 500 };
const MAX_SHRINKS = 4;
/** Tokens written in all attempts: constrained by a schema, 15 to 60 per second of one core. */
const MAX_WRITTEN_TOKENS = 1_500;
const LEAST_WRITTEN_TOKENS = 64;

/** Has the model write the missing parts, within bounds independent of the documents' size. */
export class RestWriter {
  readonly #parts: RestWriterParts;

  constructor(parts: RestWriterParts) {
    this.#parts = parts;
  }

  /** Adds the missing parts; if the combination violates the schema, everything is written again. */
  async write(job: ExtractionJob, rest: Rest, signal: AbortSignal): Promise<ExtractedData> {
    const work = { stackId: job.caller.stack.id, signal };
    let [written, problem, raw] = [0, 'there was no time for it', ''];
    for (const { filling, attempt } of stepsFor(rest.filling)) {
      const left = MAX_WRITTEN_TOKENS - written;
      if (left < LEAST_WRITTEN_TOKENS) break;
      using meter = new CallMeter(job.meter);
      const brief = await briefJob(
        { ...job, meter, maxTokens: Math.min(job.maxTokens, left) },
        { ...rest, filling },
        signal,
      );
      const outcome = await this.#attempt(brief, attempt, signal);
      written += outcome.writtenTokens;
      const { output } = outcome;
      const data = 'data' in output ? completedData(filling, output.data) : undefined;
      const [first] = data === undefined ? [] : await this.#parts.schemas.validate(job.schema, data, work);
      if (data !== undefined && first === undefined) {
        // Its tokens are part of the prompt and the data, which are charged whole.
        meter.waive();
        return { data };
      }
      problem = 'problem' in output ? output.problem : `${first?.path ?? ''} ${first?.message ?? ''}`.trim();
      raw = outcome.raw;
    }
    throw invalidOutput(problem, raw);
  }

  /** The remaining schema may be unsupported; a later step may still succeed. */
  async #attempt(job: ExtractionJob, attempt: Attempt, signal: AbortSignal): Promise<AttemptOutcome> {
    try {
      return await this.#parts.direct.attempt(job, attempt, signal);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'invalid-request') throw error;
      return { output: { problem: error.message }, raw: '', writtenTokens: 0 };
    }
  }
}

interface Step {
  readonly filling: Filling | undefined;
  readonly attempt: Attempt;
}

function stepsFor(filling: Filling | undefined): readonly Step[] {
  const attempts = [FIRST_ATTEMPT, SECOND_ATTEMPT].map((attempt) => ({ filling, attempt }));
  return filling === undefined ? attempts : [...attempts, { filling: undefined, attempt: FIRST_ATTEMPT }];
}

/** Reduces the job to what a small model can do in time. */
async function briefJob(
  job: ExtractionJob,
  { filling, files, hints }: Rest,
  signal: AbortSignal,
): Promise<ExtractionJob> {
  const wanted: ObjectSchema = filling === undefined ? job.schema : restSchema(job.schema, filling);
  const schema = boundedSchema(wanted);
  const bounds = job.leisure.aborted ? IN_HASTE : AT_LEISURE;
  const first = filesOfRest(filling ?? { state: 'free' }, hints);
  const documents = await readableDocuments(
    files,
    { words: schemaWords(wanted), first },
    { job, bounds, signal },
  );
  const showsSchema = JSON.stringify(schema).length <= bounds.schemaCharacters;
  return { ...job, schema, documents, showsSchema };
}

/** The lines of each file about the missing parts, within the bounds. */
async function readableDocuments(
  files: readonly SourceFile[],
  { words, first }: { readonly words: readonly FieldWords[]; readonly first: ReadonlySet<number> },
  {
    job,
    bounds,
    signal,
  }: { readonly job: ExtractionJob; readonly bounds: ReadingBounds; readonly signal: AbortSignal },
): Promise<readonly NamedDocument[]> {
  const { id: stackId, cacheScope } = job.caller.stack;
  let { characters } = bounds;
  for (let shrinks = 0; ; shrinks++) {
    const texts = passagesAbout(files, words, { maxCharacters: characters, first });
    const documents = job.documents.map((document, index) => ({
      ...document,
      pages: [{ ...emptyPage, text: texts[index] ?? '' }],
    }));
    const read = documentBlocks(documents);
    const conversation = plainConversation(read, { system: undefined, cacheScope });
    const tokens = await job.engine.countTokens(conversation, signal, { stackId, span: job.meter.trace });
    if (tokens <= bounds.tokens || shrinks === MAX_SHRINKS) return documents;
    characters = Math.floor(0.9 * Math.min(characters, read.length) * (bounds.tokens / tokens));
  }
}

/** The files in which all missing parts are hinted to be. */
function filesOfRest(filling: Filling, hints: FileHints): ReadonlySet<number> {
  const choices = freePaths(filling).map((path) => hints.choiceFor(path));
  if (choices.includes(undefined)) return new Set();
  return new Set(choices.flatMap((choice) => Array.from(choice?.files ?? [])));
}
