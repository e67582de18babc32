import { joinLaidOut, layOut } from '../layout/lay-out.ts';
import type { PageText } from '../page-text.ts';
import type { RgbRaster } from './decode-image.ts';
import { type LineBox, reversed } from './line-box.ts';
import { LineClassifier } from './line-classifier.ts';
import { LineRecogniser, type RecognisedLine } from './line-recogniser.ts';
import { LineSqueeze } from './line-squeeze.ts';
import type { OcrModelFiles } from './ocr-models.ts';
import { orientLines } from './page-orientation.ts';
import { type PageRotation, placeWords, rotationOf } from './place-words.ts';
import { TextDetector } from './text-detector.ts';

/** Below this it is a stain, a drawing or an unknown script. */
const MIN_CONFIDENCE = 0.5;
const MIN_ASIDE_CONFIDENCE = 0.75;

interface PipelineParts {
  readonly detector: TextDetector;
  readonly recogniser: LineRecogniser;
  readonly classifier: LineClassifier | undefined;
}

/** Detects lines, orients them, reads them, and lays the words out as text. */
export class OcrPipeline {
  readonly #parts: PipelineParts;

  private constructor(parts: PipelineParts) {
    this.#parts = parts;
  }

  static async open(files: OcrModelFiles): Promise<OcrPipeline> {
    return new OcrPipeline({
      detector: await TextDetector.open(files.detector),
      recogniser: await LineRecogniser.open(files.recogniser, files.dictionary),
      classifier: files.classifier === undefined ? undefined : await LineClassifier.open(files.classifier),
    });
  }

  async read(raster: RgbRaster, signal: AbortSignal): Promise<PageText> {
    const boxes = await this.#parts.detector.detect(raster);
    const { main, aside } = await orientLines(raster, boxes, this.#parts);
    const rotation = rotationOf(main[0] ?? { ux: 1, uy: 0 });
    const lines = await this.#recognise(raster, main, signal);
    const notes = await this.#recogniseAside(raster, aside, signal);
    const parts = [
      layOut(lines.flatMap((line) => placeWords(line, rotation, raster))),
      ...byRotation(notes).map(([noteTurn, group]) =>
        layOut(group.flatMap((line) => placeWords(line, noteTurn, raster))),
      ),
    ].filter(({ text }) => text !== '');
    return {
      ...joinLaidOut(parts),
      ocrUsed: true,
      isDamaged: false,
    };
  }

  async #recognise(
    raster: RgbRaster,
    boxes: readonly LineBox[],
    signal: AbortSignal,
  ): Promise<readonly RecognisedLine[]> {
    const { recogniser } = this.#parts;
    const squeeze = new LineSqueeze();
    const lines: RecognisedLine[] = [];
    for (const box of boxes) {
      signal.throwIfAborted();
      const fraction = squeeze.fractionOf(box);
      const quick = await recogniser.recognise(raster, box, fraction);
      const line = squeeze.suffices(quick, fraction) ? quick : await recogniser.recognise(raster, box);
      squeeze.learn(line, line === quick ? fraction : 1);
      if (line.confidence >= MIN_CONFIDENCE) lines.push(line);
    }
    return lines;
  }

  async #recogniseAside(
    raster: RgbRaster,
    boxes: readonly LineBox[],
    signal: AbortSignal,
  ): Promise<readonly RecognisedLine[]> {
    const lines: RecognisedLine[] = [];
    for (const box of boxes) {
      signal.throwIfAborted();
      const one = await this.#parts.recogniser.recognise(raster, box);
      const other = await this.#parts.recogniser.recognise(raster, reversed(box));
      const better = one.confidence >= other.confidence ? one : other;
      if (better.confidence >= MIN_ASIDE_CONFIDENCE) lines.push(better);
    }
    return lines;
  }
}

function byRotation(
  lines: readonly RecognisedLine[],
): readonly (readonly [PageRotation, readonly RecognisedLine[]])[] {
  const rotations: readonly PageRotation[] = [0, 1, 2, 3];
  return rotations.map(
    (rotation) => [rotation, lines.filter(({ box }) => rotationOf(box) === rotation)] as const,
  );
}
