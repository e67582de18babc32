import { Fault } from '../../faults/fault.ts';
import type { SchemaService } from '../../schema/service/schema-service.ts';
import { collectReply, type Reply } from '../../text/reply.ts';
import type { TextService } from '../../text/text-service.ts';
import { type Attempt, extractionConversation } from '../extraction-conversation.ts';
import {
  type ExtractedData,
  type ExtractionJob,
  type ExtractionUsage,
  type Extractor,
  noUsage,
  summed,
} from '../extractor.ts';
import { type ValidatedOutput, validatedOutput } from './validated-output.ts';

export interface DirectExtractorParts {
  readonly text: Pick<TextService, 'answer'>;
  readonly schemas: Pick<SchemaService, 'validate'>;
}

/** What one call of the model came to. */
export interface AttemptOutcome {
  readonly output: ValidatedOutput;
  readonly raw: string;
  readonly usage: ExtractionUsage;
}

// The first try says what is most likely; the second only helps if it says something else.
export const FIRST_ATTEMPT: Attempt = { temperature: 0, seed: undefined };
export const SECOND_ATTEMPT: Attempt = { temperature: 0.7, seed: 1 };
const MAX_RAW_OUTPUT_CHARACTERS = 20_000;

/** Asks the model for the whole object at once, held to the schema, and believes nothing that does not validate. */
export class DirectExtractor implements Extractor {
  readonly #parts: DirectExtractorParts;

  constructor(parts: DirectExtractorParts) {
    this.#parts = parts;
  }

  async extract(job: ExtractionJob, signal: AbortSignal): Promise<ExtractedData> {
    const first = await this.attempt(job, FIRST_ATTEMPT, signal);
    if ('data' in first.output) return { data: first.output.data, usage: first.usage };
    const second = await this.attempt(job, SECOND_ATTEMPT, signal);
    if ('data' in second.output)
      return { data: second.output.data, usage: summed(first.usage, second.usage) };
    throw invalidOutput(second.output.problem, second.raw);
  }

  /** One call of the model, and what is wrong with its output. */
  async attempt(job: ExtractionJob, attempt: Attempt, signal: AbortSignal): Promise<AttemptOutcome> {
    const ask = {
      conversation: extractionConversation(job, attempt),
      countFirst: false,
      retrieval: false,
      meter: job.meter,
      signal,
    } as const;
    const { batches } = await this.#parts.text.answer(job.caller, ask);
    const reply = await collectReply(batches);
    const raw = textOf(reply);
    const output = await validatedOutput(raw, job.schema, {
      schemas: this.#parts.schemas,
      stackId: job.caller.stack.id,
      signal,
    });
    const isCut = 'problem' in output && reply.reason === 'length';
    return {
      output: isCut ? { problem: `it was cut off after ${job.maxTokens} tokens` } : output,
      raw,
      usage: summed(noUsage, reply.usage),
    };
  }
}

/** The model's output was refused, and so is the request. */
export function invalidOutput(problem: string, raw: string): Fault {
  return new Fault('extraction-invalid', `The model's output does not satisfy the schema: ${problem}.`, {
    bodyMembers: { raw_output: raw.slice(0, MAX_RAW_OUTPUT_CHARACTERS) },
  });
}

function textOf({ blocks }: Reply): string {
  return blocks
    .filter(({ block }) => block.type === 'text')
    .map(({ text }) => text)
    .join('');
}
