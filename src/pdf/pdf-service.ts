import type { Caller } from '../access/caller.ts';
import type { MeteredWork } from '../access/meter.ts';
import { Fault } from '../faults/fault.ts';
import type { FaultCode } from '../faults/fault-table.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { FairQueue, type FairQueueOptions, type HasOthers, leavingACore } from '../supervision/fair-queue.ts';
import { AnswerTooLarge } from '../text/answer-too-large.ts';
import type { Reply } from '../text/reply.ts';
import type { ReplyAsk, TextService } from '../text/text-service.ts';
import { bestDraft, type DraftSampling } from './drafts/best-draft.ts';
import { instructionConversation } from './instruction-conversation.ts';
import type { PdfEngine, PrintedDocument } from './pdf-engine.ts';
import { PrintShare } from './print-share.ts';
import { PrintSlots } from './print-slots.ts';
import { stripCodeFence } from './strip-code-fence.ts';
import type { GenerateOrder } from './wire/generate-request.ts';

export interface PdfServiceParts {
  readonly engine: PdfEngine;
  /** Used in instruction mode only. */
  readonly text: TextService;
  /** Concurrent documents, of all callers of this process. */
  readonly maxInFlight: number;
  /** CPU cores. */
  readonly cores: number;
  readonly hasOthers?: HasOthers;
  readonly clock?: Pick<Clock, 'nowMs'>;
}

type Instruction = Extract<GenerateOrder, { mode: 'instruction' }>;

/** JSON takes at most this many bytes per byte of HTML, as in `\u003c`; longer answers cannot be within the limit. */
const MOST_BYTES_IN_JSON = 6;
/** Allowance for a server's framing. */
const PIECE_OVERHEAD_BYTES = 1024 * 1024;

/** Failures of a model call; callers of this route need not distinguish them. */
const MODEL_FAILURES: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'engine-failed',
  'engine-overloaded',
  'engine-timeout',
  'engine-refused',
]);

/**
 * Generates PDFs: has the model write if asked to, checks sizes, takes a slot, and prints. No slot is held while a model writes:
 * that is bounded as for chats, by the engine's queue and the stack's limits.
 */
export class PdfService {
  readonly #parts: PdfServiceParts;
  readonly #slots: PrintSlots;
  readonly #turns: FairQueue;
  readonly #share = new PrintShare();

  constructor(parts: PdfServiceParts) {
    this.#parts = parts;
    this.#slots = new PrintSlots(parts.maxInFlight);
    this.#turns = new FairQueue(turnBounds(parts));
  }

  /** Documents being printed. */
  get inFlight(): number {
    return this.#slots.taken;
  }

  async generate(caller: Caller, order: GenerateOrder, work: MeteredWork): Promise<PrintedDocument> {
    const html = order.mode === 'direct' ? order.html : await this.#write(caller, order, work);
    requireSize(html, caller.plan);
    using _slot = this.#slots.take(caller.stack.id);
    using _turn = await this.#turns.take(caller.stack.id, work.signal, work.meter.trace);
    const printed = await this.#print(html, caller, work.signal);
    work.meter.add({ pdfPages: printed.pages });
    return printed;
  }

  async #print(
    html: string,
    { stack, plan: { name, limits } }: Caller,
    signal: AbortSignal,
  ): Promise<PrintedDocument> {
    const { engine, hasOthers, clock = systemClock } = this.#parts;
    const maxPages = limits.pdf.pages;
    const startMs = clock.nowMs();
    const standsBack = this.#share.isExceeded(stack.id, startMs) && hasOthers?.(stack.id) === true;
    try {
      return await engine.print({ html, maxPages, standsBack }, signal);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'pdf-too-long') throw error;
      const limit = `the limit (pdf.pages, plan ${name})`;
      throw new Fault(
        'pdf-too-long',
        `The PDF would have more than ${maxPages} pages, which is ${limit}. Shorten the HTML or split it.`,
      );
    } finally {
      this.#share.note(stack.id, { startMs, endMs: clock.nowMs() });
    }
  }

  async #write(caller: Caller, order: Instruction, work: MeteredWork): Promise<string> {
    const { text, clock = systemClock } = this.#parts;
    const { documentDrafts = 1 } = await text.readyEngine(caller, work.signal);
    return await bestDraft({
      instruction: order.user,
      most: documentDrafts,
      write: (sampling) => this.#writeOnce(caller, { order, sampling }, work),
      clock,
      signal: work.signal,
    });
  }

  async #writeOnce(
    caller: Caller,
    { order, sampling }: { readonly order: Instruction; readonly sampling: DraftSampling },
    { meter, signal }: MeteredWork,
  ): Promise<string> {
    const conversation = instructionConversation(order, sampling);
    const mostPieceBytes = caller.plan.limits.pdf.htmlBytes * MOST_BYTES_IN_JSON + PIECE_OVERHEAD_BYTES;
    const reply = await this.#ask(caller, {
      conversation,
      countFirst: false,
      retrieval: false,
      mostPieceBytes,
      // Stops a server that ignores `max_tokens`, however small its pieces are.
      mostCharacters: mostPieceBytes,
      meter,
      signal,
    });
    if (reply.reason === 'length') {
      throw new Fault(
        'model-output-truncated',
        `The model's HTML was cut off at ${order.maxTokens} tokens. Raise \`max_tokens\`, or ask for a shorter document.`,
      );
    }
    const texts = reply.blocks.filter(({ block }) => block.type === 'text').map(({ text }) => text);
    const html = stripCodeFence(texts.join(''));
    if (html === '')
      throw new Fault('engine-failed', 'The model wrote nothing. Retry, or change the instruction.');
    return html;
  }

  async #ask(caller: Caller, ask: ReplyAsk): Promise<Reply> {
    try {
      return await this.#parts.text.reply(caller, ask);
    } catch (error) {
      ask.signal.throwIfAborted();
      if (error instanceof Fault && !MODEL_FAILURES.has(error.code)) throw error;
      if (
        error instanceof AnswerTooLarge ||
        (error instanceof Fault && error.cause instanceof AnswerTooLarge)
      )
        throw tooLarge("The model's HTML is larger than can be read", caller.plan);
      throw new Fault(
        'engine-failed',
        'The call to the model failed. Retry, or send finished HTML in `html`.',
        {
          cause: error,
        },
      );
    }
  }
}

/**
 * Documents with a slot take turns in the browser: printing more at once than there are cores is no faster and delays short
 * ones. One stack leaves room for a document of another, which is printed at once.
 */
function turnBounds({ maxInFlight, cores, hasOthers }: PdfServiceParts): FairQueueOptions {
  const besideOthers = leavingACore(cores, hasOthers);
  return {
    capacity: cores + 1,
    runningPerStack: 1,
    runningAlone: cores,
    besideOthers,
    maxWaiting: maxInFlight,
  };
}

function requireSize(html: string, plan: Caller['plan']): void {
  const bytes = Buffer.byteLength(html, 'utf8');
  if (bytes > plan.limits.pdf.htmlBytes) throw tooLarge(`The HTML is ${bytes} bytes`, plan);
}

function tooLarge(what: string, { name, limits }: Caller['plan']): Fault {
  return new Fault(
    'html-too-large',
    `${what}; the limit is ${limits.pdf.htmlBytes} bytes (pdf.html_bytes, plan ${name}). Send less, for example smaller pictures.`,
  );
}
