import type { ImageEngine, ImageOrder, Painting } from '../../src/images/image-engine.ts';
import type { EngineState } from '../../src/supervision/lifecycle.ts';
import { makePng } from '../fake-upstream/make-png.mjs';

/** An in-memory engine that paints at once, or when told to. */
export class FakeImageEngine implements ImageEngine {
  readonly model = 'fake-painter';
  maxPromptCharacters = 2_000;
  maxReferences = 4;
  state: EngineState = 'ready';
  /** Oldest first. */
  readonly orders: ImageOrder[] = [];
  /** Orders being painted. */
  painting = 0;
  /** Awaited before painting. */
  hold: Promise<void> | undefined;
  /** Thrown by painting. */
  failure: unknown;
  /** Returned instead of a picture of the requested size. */
  bytes: Uint8Array | undefined;
  /** Told with every picture. */
  unknownWords: readonly string[] | undefined;

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
      const { unknownWords } = this;
      return { bytes, paintMs: 1_234.56, encodeMs: 7.89, ...(unknownWords && { unknownWords }) };
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
