import * as z from 'zod';
import { Fault } from '../../../faults/fault.ts';
import { compiledEntry } from '../../../lib/compiled-entry.ts';
import { TooManyWaiting } from '../../../supervision/child-lost.ts';
import type { LaunchChild } from '../../../supervision/child-port.ts';
import { forkedChild } from '../../../supervision/forked-child.ts';
import type { Lifecycle } from '../../../supervision/lifecycle.ts';
import type { StackWork } from '../../../supervision/stack-work.ts';
import { Supervised } from '../../../supervision/supervised.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { Embeddings, EmbeddingsEngine } from '../../embeddings-engine.ts';
import { VECTOR_WIDTH } from './encoder-graph.ts';

export interface EmbeddedEmbeddingsOptions {
  readonly log: Log;
  readonly launch?: LaunchChild;
}

/** Model name stored with the vectors. */
const EMBEDDED_MODEL = 'universal-sentence-encoder-lite';
/** Texts per request to the process: small, so that a question does not wait long behind a document. */
const BATCH_TEXTS = 16;
/** A batch takes some tenths of a CPU second; on a busy machine many times that. */
const BATCH_DEADLINE_MS = 30_000;
/** Waiting batches, per stack and in total. */
const MAX_WAITING_PER_STACK = 256;
const MAX_WAITING = 4 * MAX_WAITING_PER_STACK;
const IDLE_MS = 15 * 60_000;
const patience = { startTimeoutMs: 60_000, cancelGraceMs: 10_000, stopGraceMs: 5_000 };
const recycle = { overMemoryBytes: 800_000_000, freshStarts: 'after' } as const;

const answerSchema = z.object({ vectors: z.instanceof(Float32Array), tokens: z.number() });

/** The embedded English sentence encoder, in a child process that sleeps when idle. */
export class EmbeddedEmbeddings implements EmbeddingsEngine {
  readonly model = EMBEDDED_MODEL;
  readonly #child: Supervised;

  constructor({ log, launch = launchChild() }: EmbeddedEmbeddingsOptions) {
    this.#child = new Supervised({
      name: 'embeddings',
      launch,
      // Questions are embedded here too, but cost too little to need more.
      priority: 'background',
      patience,
      concurrency: 1,
      maxWaiting: MAX_WAITING,
      maxWaitingPerStack: MAX_WAITING_PER_STACK,
      streamWindow: 0,
      idleMs: IDLE_MS,
      recycle,
      observe: (event) => {
        if (event.type === 'child-line') log.warn({ line: event.line }, 'embeddings');
        if (event.type === 'child-end' && event.loss.reason !== 'stopped') {
          log.error({ reason: event.loss.reason, error: event.loss.exit }, 'the embeddings process ended');
        }
      },
    });
  }

  get lifecycle(): Lifecycle {
    return this.#child;
  }

  async embed(texts: readonly string[], work: StackWork): Promise<Embeddings> {
    const vectors: Float32Array[] = [];
    let tokens = 0;
    for (let start = 0; start < texts.length; start += BATCH_TEXTS) {
      const answer = await this.#ask(texts.slice(start, start + BATCH_TEXTS), work);
      for (let from = 0; from < answer.vectors.length; from += VECTOR_WIDTH)
        vectors.push(answer.vectors.slice(from, from + VECTOR_WIDTH));
      tokens += answer.tokens;
    }
    return { vectors, tokens };
  }

  /** Stops the process; aborting the signal kills it. */
  async stop(signal: AbortSignal): Promise<void> {
    await this.#child.stop(signal);
  }

  async #ask(texts: readonly string[], work: StackWork): Promise<z.infer<typeof answerSchema>> {
    try {
      return answerSchema.parse(await this.#child.ask(texts, { ...work, deadlineMs: BATCH_DEADLINE_MS }));
    } catch (error) {
      work.signal.throwIfAborted();
      throw faultOf(error);
    }
  }
}

function launchChild(): LaunchChild {
  return forkedChild({ entry: compiledEntry(import.meta.url, './embeddings-child.js'), env: {} });
}

function faultOf(error: unknown): Fault {
  const message =
    error instanceof TooManyWaiting
      ? 'The embeddings engine has too much to do; retry shortly.'
      : 'The embeddings engine could not read the text; retry shortly.';
  return new Fault('model-not-ready', message, { cause: error });
}
