import type { Caller } from '../access/caller.ts';
import { Fault } from '../faults/fault.ts';
import type { FaultCode } from '../faults/fault-table.ts';
import { collectReply, type Reply } from '../text/reply.ts';
import type { TextService } from '../text/text-service.ts';
import { instructionConversation } from './instruction-conversation.ts';
import type { PdfEngine, PrintedDocument } from './pdf-engine.ts';
import { stripCodeFence } from './strip-code-fence.ts';
import type { GenerateOrder } from './wire/generate-request.ts';

export interface PdfServiceParts {
  readonly engine: PdfEngine;
  /** Asked in instruction mode only. */
  readonly text: TextService;
  /** Documents at the same time, of all callers of this process. */
  readonly maxInFlight: number;
}

/** The ways in which a call to a model fails; a caller of this route need not tell them apart. */
const MODEL_FAILURES: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'engine-failed',
  'engine-overloaded',
  'engine-timeout',
  'engine-refused',
]);

/** PDF generation: takes a place, lets the model write where asked to, checks sizes, and prints. */
export class PdfService {
  readonly #parts: PdfServiceParts;
  #inFlight = 0;

  constructor(parts: PdfServiceParts) {
    this.#parts = parts;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  async generate(caller: Caller, order: GenerateOrder, signal: AbortSignal): Promise<PrintedDocument> {
    const { limits } = caller.plan;
    // What is too large from the start takes no place.
    if (order.mode === 'direct') requireSize(order.html, limits.pdf.htmlBytes);
    const { maxInFlight, engine } = this.#parts;
    if (this.#inFlight >= maxInFlight) {
      throw new Fault(
        'pdf-in-flight',
        `${maxInFlight} documents are being generated, which is the limit of this server. Retry shortly.`,
      );
    }
    this.#inFlight += 1;
    try {
      const html = order.mode === 'direct' ? order.html : await this.#write(caller, order, signal);
      requireSize(html, limits.pdf.htmlBytes);
      return await engine.print({ html, maxPages: limits.pdf.pages }, signal);
    } finally {
      this.#inFlight -= 1;
    }
  }

  async #write(
    caller: Caller,
    order: Extract<GenerateOrder, { mode: 'instruction' }>,
    signal: AbortSignal,
  ): Promise<string> {
    const conversation = instructionConversation(order);
    const reply = await this.#ask(caller, { conversation, countFirst: false, retrieval: false, signal });
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

  async #ask(caller: Caller, ask: Parameters<TextService['answer']>[1]): Promise<Reply> {
    try {
      return await collectReply(await this.#parts.text.answer(caller, ask));
    } catch (error) {
      ask.signal.throwIfAborted();
      if (error instanceof Fault && !MODEL_FAILURES.has(error.code)) throw error;
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

function requireSize(html: string, mostBytes: number): void {
  const bytes = Buffer.byteLength(html, 'utf8');
  if (bytes <= mostBytes) return;
  throw new Fault(
    'html-too-large',
    `The HTML is ${bytes} bytes; the limit of this plan is ${mostBytes}. Send less, for example smaller pictures.`,
  );
}
