import { Fault } from '../../faults/fault.ts';
import type { SchemaService } from '../../schema/service/schema-service.ts';
import type { Reply } from '../../text/reply.ts';
import type { TextService } from '../../text/text-service.ts';
import type { ConfidenceTree } from '../confidence.ts';
import { type Attempt, extractionConversation } from '../extraction-conversation.ts';
import type { ExtractedData, ExtractionJob, Extractor } from '../extractor.ts';
import { invalidOutput } from '../refused-output.ts';
import { type ValidatedOutput, validatedOutput } from './validated-output.ts';
import { writtenConfidence } from './written-confidence.ts';

export interface DirectExtractorParts {
  readonly text: Pick<TextService, 'reply'>;
  readonly schemas: Pick<SchemaService, 'validate'>;
  /** Asks the field finder what to tell the model; absent: the model is told nothing. */
  readonly proposalsFor?:
    | ((job: ExtractionJob, signal: AbortSignal) => Promise<string | undefined>)
    | undefined;
}

/** The result of one model call. */
export interface AttemptOutcome {
  readonly output: ValidatedOutput;
  readonly raw: string;
  /** Tokens the model wrote. */
  readonly writtenTokens: number;
  /** How likely the model was to write each value, if that was asked for and the engine tells. */
  readonly confidence?: ConfidenceTree;
}

// The first attempt is greedy; a second one only helps if it differs.
export const FIRST_ATTEMPT: Attempt = { temperature: 0, seed: undefined };
export const SECOND_ATTEMPT: Attempt = { temperature: 0.7, seed: 1 };

/** Has the model write the whole object under the schema's grammar, and validates the result. */
export class DirectExtractor implements Extractor {
  readonly #parts: DirectExtractorParts;

  constructor(parts: DirectExtractorParts) {
    this.#parts = parts;
  }

  async extract(asked: ExtractionJob, signal: AbortSignal): Promise<ExtractedData> {
    const proposals = await this.#parts.proposalsFor?.(asked, signal);
    if (proposals === undefined) return await this.#extract(asked, signal);
    try {
      return await this.#extract({ ...asked, proposals }, signal);
    } catch (error) {
      // The documents fitted the window without proposals.
      if (error instanceof Fault && error.code === 'context-length-exceeded')
        return await this.#extract(asked, signal);
      throw error;
    }
  }

  async #extract(job: ExtractionJob, signal: AbortSignal): Promise<ExtractedData> {
    const first = await this.attempt(job, FIRST_ATTEMPT, signal);
    if ('data' in first.output) return extractedBy(first, first.output);
    const second = await this.attempt(job, SECOND_ATTEMPT, signal);
    if ('data' in second.output) return extractedBy(second, second.output);
    throw invalidOutput(second.output.problem, second.raw);
  }

  /** Calls the model once and validates its output. */
  async attempt(job: ExtractionJob, attempt: Attempt, signal: AbortSignal): Promise<AttemptOutcome> {
    const ask = {
      conversation: extractionConversation(job, attempt),
      countFirst: false,
      retrieval: false,
      meter: job.meter,
      signal,
    } as const;
    const reply = await this.#parts.text.reply(job.caller, ask);
    const raw = textOf(reply);
    const writtenTokens = reply.usage.completionTokens;
    const tooLong = lengthProblem(writtenTokens, job);
    if (tooLong !== undefined) return { output: { problem: tooLong }, raw, writtenTokens };
    const output = await validatedOutput(raw, job.schema, {
      schemas: this.#parts.schemas,
      stackId: job.caller.stack.id,
      signal,
    });
    const isCut = 'problem' in output && reply.reason === 'length';
    return {
      output: isCut ? { problem: `it was cut off after ${job.maxTokens} tokens` } : output,
      raw,
      writtenTokens,
      ...(job.wantsConfidence === true ? confidenceIn(reply, raw) : {}),
    };
  }
}

function extractedBy({ confidence }: AttemptOutcome, { data }: Pick<ExtractedData, 'data'>): ExtractedData {
  return confidence === undefined ? { data } : { data, confidence };
}

function confidenceIn({ tokens }: Reply, raw: string): Pick<AttemptOutcome, 'confidence'> {
  const confidence = tokens === undefined ? undefined : writtenConfidence(raw, tokens);
  return confidence === undefined ? {} : { confidence };
}

/** Not every server enforces `max_tokens`. */
function lengthProblem(writtenTokens: number, { maxTokens }: ExtractionJob): string | undefined {
  if (writtenTokens <= maxTokens) return undefined;
  return `it has ${writtenTokens} tokens, and \`max_tokens\` allows ${maxTokens}`;
}

function textOf({ blocks }: Reply): string {
  return blocks
    .filter(({ block }) => block.type === 'text')
    .map(({ text }) => text)
    .join('');
}
