import type { FileRole } from '../../catalogue/catalogue-entry.ts';
import type { OcrModelFiles } from './ocr-models.ts';

/** The files of a model by role; undefined if it is not an OCR model. */
export function ocrFiles(pathOfRole: (role: FileRole) => string | undefined): OcrModelFiles | undefined {
  const detector = pathOfRole('detector');
  const recogniser = pathOfRole('recogniser');
  if (detector === undefined || recogniser === undefined) return undefined;
  return {
    detector,
    recogniser,
    classifier: pathOfRole('classifier'),
    dictionary: pathOfRole('dictionary'),
  };
}
