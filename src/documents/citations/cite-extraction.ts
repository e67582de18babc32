import type { CitationTree } from '../citation.ts';
import type { ExtractedData, ExtractionJob } from '../extractor.ts';
import { readFileHints } from '../hints/read-file-hints.ts';
import { pointerOf } from '../json-pointer.ts';
import { citeData, type LikelyFiles } from './cite-data.ts';

const NO_FILES: ReadonlySet<number> = new Set();

/** Cites extracted data. */
export function citeExtraction(
  extracted: Pick<ExtractedData, 'data' | 'origins' | 'sources'>,
  job: Pick<ExtractionJob, 'schema' | 'user' | 'documents'>,
): CitationTree {
  return citeData(extracted.data, job.documents, likelyFiles(extracted, job), extracted.sources);
}

/** The files values were taken from if known, else those the caller's hints name. */
function likelyFiles(
  { origins = new Map() }: Pick<ExtractedData, 'origins'>,
  job: Pick<ExtractionJob, 'schema' | 'user' | 'documents'>,
): LikelyFiles {
  const hints = readFileHints(job);
  return (path) => {
    for (let depth = path.length; depth > 0; depth--) {
      const file = origins.get(pointerOf(path.slice(0, depth)));
      if (file !== undefined) return new Set([file]);
    }
    return hints.choiceFor(path)?.files ?? NO_FILES;
  };
}
