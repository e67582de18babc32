import { StackWaker } from '../../src/access/stack-waker.ts';
import { placeholderReader } from '../../src/text/placeholder-reader.ts';
import { PromptBuilder } from '../../src/text/prompt-builder.ts';
import type { Retriever } from '../../src/text/retriever.ts';
import type { TextEngine } from '../../src/text/text-engine.ts';
import { TextService } from '../../src/text/text-service.ts';

interface TextServiceOptions {
  /** How long a paused stack may take to wake. */
  readonly wakeMs?: number | undefined;
  /** By default finds nothing. */
  readonly retriever?: Retriever | undefined;
}

/** A text service with the given engines, by name. */
export function textService(
  engines: Iterable<readonly [string, TextEngine]>,
  { wakeMs, retriever }: TextServiceOptions = {},
): TextService {
  return new TextService({
    engines: new Map(engines),
    builder: new PromptBuilder({ reader: placeholderReader, retriever }),
    waker: new StackWaker(wakeMs === undefined ? {} : { wakeMs }),
  });
}
