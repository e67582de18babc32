import type { Transferable } from 'node:worker_threads';
import { errorCode } from '../lib/error-code.ts';
import { Credit } from './credit.ts';
import { type FailureReport, type MessageToChild, parseMessageToChild } from './messages.ts';
import { openParentPort, type ParentPort } from './parent-port.ts';

/** Handles a child's requests. */
export interface ChildHandler {
  /**
   * Answers one request, or streams: each value an async generator yields is one batch of events, and it is not resumed before
   * the parent has room. Wrap values in `Moved` to avoid a copy.
   */
  handle(payload: unknown, signal: AbortSignal): unknown;
  /** Frees resources the operating system would not; called when no request is left. */
  close?(): Promise<void> | void;
}

/** An answer or batch whose buffers are transferred to the parent within a process. */
export class Moved {
  readonly value: unknown;
  readonly transfer: readonly Transferable[];

  constructor(value: unknown, transfer: readonly Transferable[]) {
    this.value = value;
    this.transfer = transfer;
  }
}

/** Turns this process or thread into a supervised child: `open` loads what it needs, then requests are served. */
export async function serveRequests(open: () => Promise<ChildHandler> | ChildHandler): Promise<void> {
  const port = openParentPort();
  const { thread } = port;
  // Before anything is loaded: the parent lowers the priority of the loading, too.
  port.send({ type: 'alive', ...(thread !== undefined && { thread }) }, []);
  const server = new RequestServer(port, await open());
  port.listen((message) => server.receive(parseMessageToChild(message)));
  port.send({ type: 'ready' }, []);
}

interface LiveRequest {
  readonly controller: AbortController;
  readonly credit: Credit;
}

class RequestServer {
  readonly #port: ParentPort;
  readonly #handler: ChildHandler;
  readonly #live = new Map<number, LiveRequest>();

  constructor(port: ParentPort, handler: ChildHandler) {
    this.#port = port;
    this.#handler = handler;
  }

  receive(message: MessageToChild): void {
    switch (message.type) {
      case 'request':
        void this.#serve(message);
        break;
      case 'credit':
        this.#live.get(message.id)?.credit.give(message.batches);
        break;
      case 'cancel':
        this.#live.get(message.id)?.controller.abort();
        break;
      case 'stop':
        void this.#stop();
    }
  }

  async #serve({ id, payload, window }: Extract<MessageToChild, { type: 'request' }>): Promise<void> {
    const request = { controller: new AbortController(), credit: new Credit(window) };
    this.#live.set(id, request);
    this.#port.send({ type: 'start', id }, []);
    try {
      const { value, transfer } = moved(await this.#result({ id, payload, window, request }));
      this.#port.send({ type: 'answer', id, value, memoryBytes: this.#port.memoryBytes() }, transfer);
    } catch (error) {
      const report = describe(error);
      this.#port.send({ type: 'failure', id, error: report, memoryBytes: this.#port.memoryBytes() }, []);
    } finally {
      this.#live.delete(id);
    }
  }

  async #result(call: { id: number; payload: unknown; window: number; request: LiveRequest }) {
    const { signal } = call.request.controller;
    const result = this.#handler.handle(call.payload, signal);
    if (!isAsyncGenerator(result)) return result;
    if (call.window === 0) throw new TypeError('this request streams, but one answer was asked for');
    return this.#sendBatches(call.id, result, { credit: call.request.credit, signal });
  }

  async #sendBatches(
    id: number,
    batches: AsyncGenerator,
    { credit, signal }: { credit: Credit; signal: AbortSignal },
  ): Promise<unknown> {
    try {
      for (;;) {
        await credit.take(signal);
        const step = await batches.next();
        if (step.done) return step.value;
        const { value, transfer } = moved(step.value);
        if (!Array.isArray(value)) throw new TypeError('a stream yields batches: arrays of events');
        this.#port.send({ type: 'batch', id, events: value }, transfer);
      }
    } finally {
      await batches.return(undefined);
    }
  }

  async #stop(): Promise<void> {
    await this.#handler.close?.();
    process.exit(0);
  }
}

function moved(value: unknown): { value: unknown; transfer: readonly Transferable[] } {
  return value instanceof Moved ? value : { value, transfer: [] };
}

function isAsyncGenerator(value: unknown): value is AsyncGenerator {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function describe(error: unknown): FailureReport {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  const code = errorCode(error);
  return { name, message, ...(code !== undefined && { code }), ...(stack !== undefined && { stack }) };
}
