import type { OcrEngine, OcrPicture, Raster } from '../../src/reading/ocr-engine.ts';
import type { PageText } from '../../src/reading/page-text.ts';
import type { StackWork } from '../../src/supervision/stack-work.ts';

/** Without the pixels of a page: an assertion that fails, or a poll that goes on, would spend minutes on printing them. */
type SeenPicture =
  | Extract<OcrPicture, { kind: 'encoded' }>
  | { readonly kind: 'raster'; readonly raster: Omit<Raster, 'data'> };

/** OCR with a fixed result, which counts its calls. */
export class FakeOcrEngine implements OcrEngine {
  readonly lifecycle = { state: 'ready', ready: async () => {} } as const;
  readonly parallel: number;
  readonly pictures: SeenPicture[] = [];
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
    this.pictures.push(seen(picture));
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

function seen(picture: OcrPicture): SeenPicture {
  if (picture.kind === 'encoded') return picture;
  const { data: _, ...raster } = picture.raster;
  return { kind: 'raster', raster };
}
