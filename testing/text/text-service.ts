import { placeholderReader } from '../../src/text/placeholder-reader.ts';
import { PromptBuilder } from '../../src/text/prompt-builder.ts';
import { StackWaker } from '../../src/text/stack-waker.ts';
import type { TextEngine } from '../../src/text/text-engine.ts';
import { TextService } from '../../src/text/text-service.ts';

/** A text service on the given engines, by name. */
export function textService(
  engines: Iterable<readonly [string, TextEngine]>,
  waking: { readonly wakeMs?: number } = {},
): TextService {
  return new TextService({
    engines: new Map(engines),
    builder: new PromptBuilder({ reader: placeholderReader, retriever: undefined }),
    waker: new StackWaker(waking),
  });
}
