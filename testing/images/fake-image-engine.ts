import type { ImageEngine, ImageOrder, Painting } from '../../src/images/image-engine.ts';
import type { EngineState } from '../../src/supervision/lifecycle.ts';
import { makePng } from '../fake-upstream/make-png.mjs';

/** An engine in memory, which paints at once, or when it is told to. */
export class FakeImageEngine implements ImageEngine {
  readonly model = 'fake-painter';
  maxPromptCharacters = 2_000;
  maxReferences = 4;
  state: EngineState = 'ready';
  /** What was asked for, oldest first. */
  readonly orders: ImageOrder[] = [];
  /** How many are being painted. */
  painting = 0;
  /** What painting waits for. */
  hold: Promise<void> | undefined;
  /** What painting throws. */
  failure: unknown;
  /** What is painted instead of a picture of the asked size. */
  bytes: Uint8Array | undefined;

  get lifecycle() {
    return {
      state: this.state,
      ready: async () => {
        this.state = 'ready';
      },
    };
  }

  async paint(order: ImageOrder, signal: AbortSignal): Promise<Painting> {
    signal.throwIfAborted();
    this.orders.push(order);
    this.painting += 1;
    try {
      await unlessAborted(this.hold, signal);
      if (this.failure !== undefined) throw this.failure;
      const { width, height, seed } = order;
      const bytes = this.bytes ?? makePng({ width, height, seed: Number(seed & 255n) });
      return { bytes, paintMs: 1_234.56, encodeMs: 7.89 };
    } finally {
      this.painting -= 1;
    }
  }
}

async function unlessAborted(hold: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
  if (hold === undefined) return;
  await new Promise<void>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    hold.then(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, reject);
  });
}
