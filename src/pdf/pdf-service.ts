import type { Caller } from '../access/caller.ts';
import type { MeteredWork } from '../access/meter.ts';
import { Fault } from '../faults/fault.ts';
import type { FaultCode } from '../faults/fault-table.ts';
import { FairQueue, type FairQueueOptions } from '../supervision/fair-queue.ts';
import { AnswerTooLarge } from '../text/answer-too-large.ts';
import type { Reply } from '../text/reply.ts';
import type { ReplyAsk, TextService } from '../text/text-service.ts';
import { instructionConversation } from './instruction-conversation.ts';
import { missingFacts } from './missing-facts.ts';
import type { PdfEngine, PrintedDocument } from './pdf-engine.ts';
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
}

/** JSON takes at most this many bytes per byte of HTML, as in `\u003c`; longer answers cannot be within the limit. */
const MOST_BYTES_IN_JSON = 6;
/** Allowance for a server's framing. */
const PIECE_OVERHEAD_BYTES = 1024 * 1024;

/** The second document of an instruction is drawn more freely: the same model with the same settings might write the same. */
const SECOND_TEMPERATURE = 0.7;

type InstructionOrder = Extract<GenerateOrder, { mode: 'instruction' }>;

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
    using _turn = await this.#turns.take(caller.stack.id, work.signal);
    const printed = await this.#print(html, caller.plan, work.signal);
    work.meter.add({ pdfPages: printed.pages });
    return printed;
  }

  async #print(
    html: string,
    { name, limits }: Caller['plan'],
    signal: AbortSignal,
  ): Promise<PrintedDocument> {
    const maxPages = limits.pdf.pages;
    try {
      return await this.#parts.engine.print({ html, maxPages }, signal);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'pdf-too-long') throw error;
      const limit = `the limit (pdf.pages, plan ${name})`;
      throw new Fault(
        'pdf-too-long',
        `The PDF would have more than ${maxPages} pages, which is ${limit}. Shorten the HTML or split it.`,
      );
    }
  }

  async #write(caller: Caller, order: InstructionOrder, work: MeteredWork): Promise<string> {
    const reply = await this.#ask(caller, order, work);
    if (reply.reason === 'length') {
      throw new Fault(
        'model-output-truncated',
        `The model's HTML was cut off at ${order.maxTokens} tokens. Raise \`max_tokens\`, or ask for a shorter document.`,
      );
    }
    const html = htmlOf(reply);
    if (html === '')
      throw new Fault('engine-failed', 'The model wrote nothing. Retry, or change the instruction.');
    return await this.#completed(caller, order, { html, reply }, work);
  }

  /**
   * The document, or a second one where the first lacks facts of the instruction and the second lacks fewer. Only a model that runs on this
   * machine is asked again, within the same `max_tokens`; whatever keeps the second from being written leaves the first.
   */
  async #completed(
    caller: Caller,
    order: InstructionOrder,
    { html, reply }: { readonly html: string; readonly reply: Reply },
    work: MeteredWork,
  ): Promise<string> {
    const maxTokens = order.maxTokens - reply.usage.completionTokens;
    // A second document is about as long as the first.
    if (reply.standIn !== undefined || maxTokens < reply.usage.completionTokens) return html;
    const missing = missingFacts(order.user, html).length;
    if (missing === 0 || !(await this.#isEmbedded(caller, work.signal))) return html;
    try {
      const second = await this.#ask(caller, { ...order, maxTokens, temperature: SECOND_TEMPERATURE }, work);
      const again = second.reason === 'stop' ? htmlOf(second) : '';
      return again !== '' && missingFacts(order.user, again).length < missing ? again : html;
    } catch (error) {
      work.signal.throwIfAborted();
      if (error instanceof Fault) return html;
      throw error;
    }
  }

  async #isEmbedded(caller: Caller, signal: AbortSignal): Promise<boolean> {
    return (await this.#parts.text.readyEngine(caller, signal)).isEmbedded === true;
  }

  async #ask(
    caller: Caller,
    order: InstructionOrder & { readonly temperature?: number },
    { meter, signal }: MeteredWork,
  ): Promise<Reply> {
    const mostPieceBytes = caller.plan.limits.pdf.htmlBytes * MOST_BYTES_IN_JSON + PIECE_OVERHEAD_BYTES;
    return await this.#reply(caller, {
      conversation: instructionConversation(order),
      countFirst: false,
      retrieval: false,
      mostPieceBytes,
      // Stops a server that ignores `max_tokens`, however small its pieces are.
      mostCharacters: mostPieceBytes,
      meter,
      signal,
    });
  }

  async #reply(caller: Caller, ask: ReplyAsk): Promise<Reply> {
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

function htmlOf({ blocks }: Reply): string {
  const texts = blocks.filter(({ block }) => block.type === 'text').map(({ text }) => text);
  return stripCodeFence(texts.join(''));
}

/**
 * Documents with a slot take turns in the browser: printing more at once than there are cores is no faster and delays short
 * ones. One stack leaves room for a document of another, which is printed at once.
 */
function turnBounds({ maxInFlight, cores }: PdfServiceParts): FairQueueOptions {
  return { capacity: cores + 1, runningPerStack: 1, runningAlone: cores, maxWaiting: maxInFlight };
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
