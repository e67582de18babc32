import type { OcrEngine, OcrPicture } from '../../src/reading/ocr-engine.ts';
import type { PageText } from '../../src/reading/page-text.ts';
import type { StackWork } from '../../src/supervision/stack-work.ts';

/** OCR with a fixed result, which counts its calls. */
export class FakeOcrEngine implements OcrEngine {
  readonly lifecycle = { state: 'ready', ready: async () => {} } as const;
  readonly parallel: number;
  readonly pictures: OcrPicture[] = [];
  /** The stacks of its calls. */
  readonly stacks: string[] = [];
  most = 0;
  #running = 0;
  readonly #say: (picture: OcrPicture, signal: AbortSignal) => Promise<string> | string;

  constructor(
    say: (picture: OcrPicture, signal: AbortSignal) => Promise<string> | string = () => 'seen',
    parallel = 1,
  ) {
    this.#say = say;
    this.parallel = parallel;
  }

  async read(picture: OcrPicture, { stackId, signal }: StackWork): Promise<PageText> {
    signal.throwIfAborted();
    this.pictures.push(picture);
    this.stacks.push(stackId);
    this.#running += 1;
    this.most = Math.max(this.most, this.#running);
    try {
      await Promise.resolve();
      return { text: await this.#say(picture, signal), lines: [], ocrUsed: true, isDamaged: false };
    } finally {
      this.#running -= 1;
    }
  }
}
