import type { IncomingHttpHeaders } from 'node:http';
import type { Failure, FailureMode } from './failure-modes.d.mts';

/** How one request is answered; `{}` says a short text. */
export interface ReplyPlan {
  /** What is said; a list is streamed piece by piece. */
  readonly text?: string | readonly string[];
  /** Without a text: so many pieces of filler. */
  readonly pieceCount?: number;
  /** Characters per streamed piece of text, reasoning or arguments: 4, one token, unless said. */
  readonly pieceCharacters?: number;
  readonly reasoning?: string;
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  readonly toolCalls?: readonly PlannedToolCall[];
  /** The fragments of several calls come in turns. */
  readonly interleaved?: boolean;
  /** Otherwise `length` when max_tokens cut the reply, `tool_calls` after calls, else `stop`. */
  readonly finishReason?: string;
  /** The stop sequence that matched, as vLLM names it. */
  readonly stopReason?: string | number | null;
  /** Instead of what the tokenizer counts. */
  readonly usage?: unknown;
  /** A wait before each streamed write. */
  readonly paceMs?: number;
  /** Events per write: 1 unless said. */
  readonly eventsPerWrite?: number;
  /** Awaited before each write, so that a test decides when the next event leaves. */
  readonly beforePiece?: (index: number) => Promise<void> | void;
  /**
   * Awaited before a body that is partly sent is reset, ended or left to stall. A client that runs on Node and gets
   * bytes and a reset at once sees a mere end; a test that wants to see the reset waits here until the bytes are read.
   */
  readonly beforeCut?: () => Promise<void> | void;
  readonly fail?: FailureMode | Failure;
  /** On the image routes: what is painted instead of a gradient of the asked size. */
  readonly image?: Buffer;
  /** On the image routes: the whole JSON answer. */
  readonly answer?: unknown;
}

export interface PlannedToolCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments?: string | Readonly<Record<string, unknown>>;
}

/** How an exchange ended: whole, cut by the fake itself, or left by the client. */
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
  /** Counts all requests from 1. */
  readonly serial: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The parsed JSON, undefined where the body is none. */
  readonly body: unknown;
  readonly form: readonly RecordedField[];
  /** Events, or whole bodies, handed to the connection so far. */
  readonly sentPieces: number;
  readonly ended: Promise<RequestEnd>;
}

export interface FakeUpstreamOptions {
  /** Any free port unless said. */
  readonly port?: number;
  readonly model?: string;
  readonly contextWindow?: number;
  /** Which ways to count there are: `/tokenize` of vLLM, `/apply-template` and `/tokenize` of llama-server, or none. */
  readonly flavour?: 'vllm' | 'llama-server' | 'plain';
  /** When given, every request without it gets 401. */
  readonly apiKey?: string;
  /** For chat and image requests that neither the script nor the queue answers. */
  readonly plan?: ReplyPlan;
  /** Starts with a closed port: connections are refused until `accept()`. */
  readonly refusing?: boolean;
  /** How many requests are remembered: 1,000 unless said. */
  readonly maximumRequests?: number;
  /** A larger body is read, dropped and answered 413: 256 MiB unless said. */
  readonly maximumBodyBytes?: number;
}

export interface FakeUpstream extends AsyncDisposable {
  /** Without a path and without a slash at its end. */
  readonly url: string;
  readonly model: string;
  /** The latest requests, oldest first. */
  readonly requests: readonly RecordedRequest[];
  readonly totalRequests: number;
  readonly activeRequests: number;
  readonly openConnections: number;
  /** Queues plans, each for one coming chat or image request. */
  respond(...plans: readonly ReplyPlan[]): void;
  /** Asks the function about every request, also for models, health and counting; undefined leaves it to the queue. */
  script(next: (request: RecordedRequest) => ReplyPlan | undefined | Promise<ReplyPlan | undefined>): void;
  /** Resolves when the condition holds; looked at whenever a connection, request or event comes or goes. */
  until(condition: (upstream: FakeUpstream) => boolean, signal?: AbortSignal): Promise<void>;
  /** The next request, from now on, whose client leaves before the answer is whole; `ended` tells of a known one. */
  clientGone(signal?: AbortSignal): Promise<RecordedRequest>;
  /** Closes the port and cuts every connection: from now on connections are refused. */
  refuse(): Promise<void>;
  /** Opens the same port again. */
  accept(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a fake OpenAI-compatible server on loopback. */
export function startFakeUpstream(options?: FakeUpstreamOptions): Promise<FakeUpstream>;
