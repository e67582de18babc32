import type { IncomingHttpHeaders } from 'node:http';
import type { Failure, FailureMode } from './failure-modes.d.mts';

/** How a request is answered; `{}` gives a short text. */
export interface ReplyPlan {
  /** The text; a list is streamed piece by piece. */
  readonly text?: string | readonly string[];
  /** Without a text: this many pieces of filler. */
  readonly pieceCount?: number;
  /** Characters per streamed piece of text, reasoning or arguments: 4, one token, by default. */
  readonly pieceCharacters?: number;
  readonly reasoning?: string;
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  readonly toolCalls?: readonly PlannedToolCall[];
  /** Interleaves the fragments of several calls. */
  readonly interleaved?: boolean;
  /** By default `length` if max_tokens cut the reply, `tool_calls` after calls, else `stop`. */
  readonly finishReason?: string;
  /** The matching stop sequence, as vLLM reports it. */
  readonly stopReason?: string | number | null;
  /** Replaces the tokenizer's counts. */
  readonly usage?: unknown;
  /** Delay before each streamed write. */
  readonly paceMs?: number;
  /** Events per write: 1 by default. */
  readonly eventsPerWrite?: number;
  /** Awaited before each write, so that a test decides when the next event is sent. */
  readonly beforePiece?: (index: number) => Promise<void> | void;
  /**
   * Awaited before a body that is partly sent is reset, ended or left to stall. A client that runs on Node and gets
   * bytes and a reset at once sees a mere end; a test that wants to see the reset waits here until the bytes are read.
   */
  readonly beforeCut?: () => Promise<void> | void;
  readonly fail?: FailureMode | Failure;
  /** On the image routes: replaces the gradient of the requested size. */
  readonly image?: Buffer;
  /** On the image routes: the whole JSON answer. */
  readonly answer?: unknown;
}

export interface PlannedToolCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments?: string | Readonly<Record<string, unknown>>;
}

/** How a request ended: complete, cut by the fake, or left by the client. */
export type RequestEnd = 'answered' | 'cut' | 'client-gone';

/** A field of a multipart body: text has a value, a file the rest. */
export interface RecordedField {
  readonly name: string;
  readonly value?: string;
  readonly fileName?: string;
  readonly contentType?: string;
  readonly bytes?: Buffer;
}

/** A request whose body has arrived. */
export interface RecordedRequest {
  /** From 1. */
  readonly serial: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The parsed JSON; undefined if it is invalid. */
  readonly body: unknown;
  readonly form: readonly RecordedField[];
  /** Events, or whole bodies, written so far. */
  readonly sentPieces: number;
  readonly ended: Promise<RequestEnd>;
}

export interface FakeUpstreamOptions {
  /** By default any free port. */
  readonly port?: number;
  readonly model?: string;
  readonly contextWindow?: number;
  /** The ways to count tokens: `/tokenize` of vLLM, `/apply-template` and `/tokenize` of llama-server, or none. */
  readonly flavour?: 'vllm' | 'llama-server' | 'plain';
  /** If given, every request without it gets 401. */
  readonly apiKey?: string;
  /** For chat and image requests that neither the script nor the queue answers. */
  readonly plan?: ReplyPlan;
  /** Starts with a closed port: connections are refused until `accept()`. */
  readonly refusing?: boolean;
  /** Requests to remember: 1,000 by default. */
  readonly maximumRequests?: number;
  /** Larger bodies are read, dropped and answered 413: 256 MiB by default. */
  readonly maximumBodyBytes?: number;
}

export interface FakeUpstream extends AsyncDisposable {
  /** Without a path and trailing slash. */
  readonly url: string;
  readonly model: string;
  /** The latest requests, oldest first. */
  readonly requests: readonly RecordedRequest[];
  readonly totalRequests: number;
  readonly activeRequests: number;
  readonly openConnections: number;
  /** Queues plans, each for one coming chat or image request. */
  respond(...plans: readonly ReplyPlan[]): void;
  /** Called for every request, also for models, health and counting; undefined leaves it to the queue. */
  script(next: (request: RecordedRequest) => ReplyPlan | undefined | Promise<ReplyPlan | undefined>): void;
  /** Resolves when the condition holds; checked whenever a connection, request or event comes or goes. */
  until(condition: (upstream: FakeUpstream) => boolean, signal?: AbortSignal): Promise<void>;
  /** The next request whose client disconnects before the answer is complete; for a known one see `ended`. */
  clientGone(signal?: AbortSignal): Promise<RecordedRequest>;
  /** Closes the port and cuts every connection: from now on connections are refused. */
  refuse(): Promise<void>;
  /** Opens the same port again. */
  accept(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a fake OpenAI-compatible server on loopback. */
export function startFakeUpstream(options?: FakeUpstreamOptions): Promise<FakeUpstream>;
