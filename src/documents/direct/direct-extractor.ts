import { Fault } from '../../faults/fault.ts';
import type { SchemaService } from '../../schema/service/schema-service.ts';
import { collectReply, type Reply } from '../../text/reply.ts';
import type { TextService } from '../../text/text-service.ts';
import { type Attempt, extractionConversation } from '../extraction-conversation.ts';
import type { ExtractedData, ExtractionJob, ExtractionUsage, Extractor } from '../extractor.ts';
import { validatedOutput } from './validated-output.ts';

export interface DirectExtractorParts {
  readonly text: Pick<TextService, 'answer'>;
  readonly schemas: Pick<SchemaService, 'validate'>;
}

// The first try says what is most likely; the second only helps if it says something else.
const ATTEMPTS: readonly Attempt[] = [
  { temperature: 0, seed: undefined },
  { temperature: 0.7, seed: 1 },
];
const MAX_RAW_OUTPUT_CHARACTERS = 20_000;

/** Asks the model for the whole object at once, held to the schema, and believes nothing that does not validate. */
export class DirectExtractor implements Extractor {
  readonly #parts: DirectExtractorParts;

  constructor(parts: DirectExtractorParts) {
    this.#parts = parts;
  }

  async extract(job: ExtractionJob, signal: AbortSignal): Promise<ExtractedData> {
    let usage: ExtractionUsage = { promptTokens: 0, completionTokens: 0 };
    let [raw, problem] = ['', ''];
    for (const attempt of ATTEMPTS) {
      const reply = await this.#ask(job, attempt, signal);
      usage = {
        promptTokens: usage.promptTokens + reply.usage.promptTokens,
        completionTokens: usage.completionTokens + reply.usage.completionTokens,
      };
      raw = textOf(reply);
      const output = await validatedOutput(raw, job.schema, { schemas: this.#parts.schemas, signal });
      if ('data' in output) return { data: output.data, usage };
      problem = reply.reason === 'length' ? 'it was cut off at `max_tokens`' : output.problem;
    }
    throw new Fault('extraction-invalid', `The model's output does not satisfy the schema: ${problem}.`, {
      bodyMembers: { raw_output: raw.slice(0, MAX_RAW_OUTPUT_CHARACTERS) },
    });
  }

  async #ask(job: ExtractionJob, attempt: Attempt, signal: AbortSignal): Promise<Reply> {
    const ask = {
      conversation: extractionConversation(job, attempt),
      countFirst: false,
      retrieval: false,
      signal,
    } as const;
    return await collectReply(await this.#parts.text.answer(job.caller, ask));
  }
}

function textOf({ blocks }: Reply): string {
  return blocks
    .filter(({ block }) => block.type === 'text')
    .map(({ text }) => text)
    .join('');
}
