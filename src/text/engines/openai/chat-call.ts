import { type Fault, toFault } from '../../../faults/fault.ts';
import type { PartSpan } from '../../../telemetry/request-trace.ts';
import { BodyBuffer } from '../../../upstream/body-buffer.ts';
import { faultOfStatus, isWorthAnotherServer, unreachable } from '../../../upstream/engine-faults.ts';
import type { ResponseHead } from '../../../upstream/response-head.ts';
import type { JsonBytes, ResponseHandler, UpstreamCall } from '../../../upstream/upstream-call.ts';
import type { AskedBody } from './asked-body.ts';
import { chatPath, type ModelServer } from './model-server.ts';
import type { ModelServers } from './model-servers.ts';

/** Receives the answer: bytes, then an end or a failure. */
export interface ChatListener {
  /** A server has begun to answer: no other server is asked from now on. */
  onAccepted(head: ResponseHead, server: ModelServer): void;
  onBytes(bytes: Buffer): void;
  onEnd(): void;
  onFailure(fault: Fault): void;
}

export interface ChatCallOptions {
  readonly servers: ModelServers;
  readonly body: AskedBody;
  readonly stackId: string | undefined;
  readonly timeoutMs: number;
  readonly nowMs: () => number;
  readonly lingerMs: number;
  readonly listener: ChatListener;
  /** Absent if the request is not traced. */
  readonly span?: PartSpan | undefined;
}

const MAXIMUM_REFUSAL_BYTES = 64 * 1024;

/** One chat request, sent to one server after the other until one of them begins to answer. */
export class ChatCall implements ResponseHandler {
  readonly #options: ChatCallOptions;
  readonly #deadlineMs: number;
  readonly #tried = new Set<ModelServer>();
  #server: ModelServer | undefined;
  #call: UpstreamCall | undefined;
  #refusal: { readonly head: ResponseHead; readonly body: BodyBuffer } | undefined;
  #isAccepted = false;
  #isAborted = false;

  constructor(options: ChatCallOptions) {
    this.#options = options;
    this.#deadlineMs = options.nowMs() + options.timeoutMs;
  }

  /** Sends the request; the listener may receive a failure before this returns. */
  start(): void {
    const server = this.#options.servers.choose(this.#tried);
    if (server === undefined) {
      this.#options.listener.onFailure(unreachable(new Error('no server is configured')));
      return;
    }
    this.#tried.add(server);
    this.#ask(server, this.#options.body.for(server));
  }

  #ask(server: ModelServer, body: string | JsonBytes): void {
    this.#server = server;
    this.#refusal = undefined;
    const { nowMs, stackId, span } = this.#options;
    const path = chatPath(server.address);
    const timeoutMs = this.#deadlineMs - nowMs();
    try {
      // Both are named in every case: one shape of requests, put together without a copy.
      const traceparent = span?.traceparent;
      const onWait = span?.isSampled === true ? () => beginQueue(span) : undefined;
      const request = { method: 'POST', path, body, timeoutMs, stackId, traceparent, onWait } as const;
      this.#call = server.answers.send(request, this);
    } catch (error) {
      this.onFailure(toFault(error));
    }
  }

  abort(): void {
    this.#isAborted = true;
    this.#call?.abort();
  }

  /** The answer is complete: the rest of the response may take `lingerMs`. */
  release(): void {
    this.#call?.release(this.#options.nowMs() + this.#options.lingerMs);
  }

  setFlowing(isFlowing: boolean): void {
    this.#call?.setFlowing(isFlowing);
  }

  onHead(head: ResponseHead): void {
    if (head.status !== 200) {
      this.#refusal = { head, body: new BodyBuffer(MAXIMUM_REFUSAL_BYTES) };
    } else if (this.#server !== undefined) {
      this.#isAccepted = true;
      this.#server.answered();
      this.#options.body.accepted();
      this.#options.listener.onAccepted(head, this.#server);
    }
  }

  onBytes(bytes: Buffer): void {
    if (this.#refusal !== undefined) {
      this.#refusal.body.add(bytes);
      return;
    }
    this.#server?.answered();
    this.#options.listener.onBytes(bytes);
  }

  onEnd(): void {
    if (this.#refusal === undefined) this.#options.listener.onEnd();
    else this.#onRefusal(this.#refusal);
  }

  onFailure(fault: Fault): void {
    const server = this.#server;
    if (server !== undefined && isSignOfIllness(fault)) this.#options.servers.suspect(server);
    const mayTryAnother = !this.#isAccepted && isWorthAnotherServer(fault);
    if (mayTryAnother && this.#options.servers.choose(this.#tried) !== undefined) this.start();
    else this.#options.listener.onFailure(fault);
  }

  #onRefusal({ head, body }: { readonly head: ResponseHead; readonly body: BodyBuffer }): void {
    const text = body.whole().toString();
    const fault = faultOfStatus(head, this.#server?.redact(text) ?? text);
    const other = this.#options.body.insteadOf({ text, fault });
    if (!(other instanceof Promise)) this.#askAgain(other, fault);
    else void other.then((found) => this.#askAgain(found, fault));
  }

  #askAgain(body: string | JsonBytes | undefined, fault: Fault): void {
    if (this.#isAborted) return;
    if (body === undefined || this.#server === undefined) this.onFailure(fault);
    else this.#ask(this.#server, body);
  }
}

function isSignOfIllness({ code }: Fault): boolean {
  return code === 'engine-failed' || code === 'engine-timeout';
}

/** Begins the span of the wait for a connection; the result ends it. */
function beginQueue(span: PartSpan): () => void {
  const queued = span.start('queue', 'internal');
  return () => queued.end();
}
