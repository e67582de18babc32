import type { DiffusionConfig } from '../../../config/config.ts';
import { Fault } from '../../../faults/fault.ts';
import { compiledEntry } from '../../../lib/compiled-entry.ts';
import { TooManyWaiting } from '../../../supervision/child-lost.ts';
import { forkedChild } from '../../../supervision/forked-child.ts';
import type { Lifecycle } from '../../../supervision/lifecycle.ts';
import { Supervised } from '../../../supervision/supervised.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { ImageEngine, ImageOrder, Painting } from '../../image-engine.ts';
import { paintAnswerSchema } from './painter-messages.ts';
import { shippedWeightsFolder } from './painter-weights.ts';

export interface DiffusionEngineOptions {
  readonly config: DiffusionConfig;
  readonly log: Log;
  /** Folder of the weights; absent: those shipped with the gateway. */
  readonly weightsFolder?: string;
}

/** Called when a step starts, counted from 0, and with `steps` when the picture is enlarged. */
export type StepListener = (step: number) => void;

const MS_PER_MINUTE = 60_000;
// A guided step at the largest size takes half a CPU second; on a busy machine many times that.
const STEP_DEADLINE_MS = 60_000;
const patience = { startTimeoutMs: 60_000, cancelGraceMs: 10_000, stopGraceMs: 5_000 };
// Stacks have their own queues in front; this one is between stacks.
const MAX_WAITING = 64;
const recycle = { afterRequests: 500, overMemoryBytes: 800_000_000, freshStarts: 'after' } as const;

/** The embedded painter: a small diffusion model on the CPU, in a child process that sleeps when idle. */
export class DiffusionEngine implements ImageEngine {
  readonly model = 'painter';
  readonly maxPromptCharacters = 2_000;
  readonly maxReferences = 4;
  readonly #child: Supervised;

  constructor({ config, log, weightsFolder = shippedWeightsFolder() }: DiffusionEngineOptions) {
    this.#child = new Supervised({
      name: 'painter',
      launch: forkedChild({
        entry: compiledEntry(import.meta.url, './painter-child.js'),
        args: [weightsFolder, String(config.threads)],
        env: {},
      }),
      priority: 'heavy',
      patience,
      concurrency: 1,
      maxWaiting: MAX_WAITING,
      streamWindow: 4,
      ...(config.idlePauseMinutes > 0 && { idleMs: config.idlePauseMinutes * MS_PER_MINUTE }),
      recycle,
      observe: (event) => {
        if (event.type === 'child-line') log.warn({ line: event.line }, 'painter');
        if (event.type === 'child-end' && event.loss.reason !== 'stopped') {
          log.error({ reason: event.loss.reason, error: event.loss.exit }, 'the painter ended');
        }
      },
    });
  }

  get lifecycle(): Lifecycle {
    return this.#child;
  }

  async paint(order: ImageOrder, signal: AbortSignal, onStep?: StepListener): Promise<Painting> {
    const steps = this.#child.stream({ ...order }, { signal, deadlineMs: STEP_DEADLINE_MS });
    try {
      for (;;) {
        const told = await steps.next();
        if (told.done) return paintAnswerSchema.parse(told.value);
        for (const step of told.value) if (typeof step === 'number') onStep?.(step);
      }
    } catch (error) {
      signal.throwIfAborted();
      throw faultOf(error);
    }
  }

  /** Stops the process; aborting the signal kills it. */
  async close(signal: AbortSignal): Promise<void> {
    await this.#child.stop(signal);
  }
}

function faultOf(error: unknown): Fault {
  const message =
    error instanceof TooManyWaiting
      ? 'The painter has too much to do; retry shortly.'
      : 'The painter could not finish the picture; retry shortly.';
  return new Fault('model-not-ready', message, { cause: error });
}
