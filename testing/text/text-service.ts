import { StackWaker } from '../../src/access/stack-waker.ts';
import type { StackFiles } from '../../src/files/stack-files.ts';
import { placeholderReader } from '../../src/text/placeholder-reader.ts';
import { PromptBuilder } from '../../src/text/prompt-builder.ts';
import type { Retriever } from '../../src/text/retriever.ts';
import type { TextEngine } from '../../src/text/text-engine.ts';
import { TextService } from '../../src/text/text-service.ts';
import { fileService } from '../files/file-service.ts';

interface TextServiceOptions {
  /** How long a paused stack may take to wake. */
  readonly wakeMs?: number | undefined;
  /** By default finds nothing. */
  readonly retriever?: Retriever | undefined;
  /** By default has none. */
  readonly files?: StackFiles | undefined;
}

/** A text service with the given engines, by name. */
export function textService(
  engines: Iterable<readonly [string, TextEngine]>,
  { wakeMs, retriever, files = fileService() }: TextServiceOptions = {},
): TextService {
  return new TextService({
    engines: new Map(engines),
    builder: new PromptBuilder({ reader: placeholderReader, retriever, files }),
    waker: new StackWaker(wakeMs === undefined ? {} : { wakeMs }),
  });
}
