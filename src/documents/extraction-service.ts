import type { Caller } from '../access/caller.ts';
import type { MeteredWork } from '../access/meter.ts';
import { Fault } from '../faults/fault.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { DocumentReader, PageWatch } from '../reading/document-reader.ts';
import type { SchemaService } from '../schema/service/schema-service.ts';
import type { StackWork } from '../supervision/stack-work.ts';
import type { TextEngine } from '../text/text-engine.ts';
import type { TextService } from '../text/text-service.ts';
import type { CitationTree } from './citation.ts';
import { completeConfidence } from './complete-confidence.ts';
import { ExtractionMeter, type ExtractionUsage } from './extraction-meter.ts';
import type { ExtractionRequest, ExtractionRoute, NamedFile } from './extraction-request.ts';
import type { ExtractedData, ExtractionJob, Extractor, NamedDocument } from './extractor.ts';
import { checkFiles } from './file-limits.ts';
import { readTargetSchema, withSchemaFault } from './target-schema.ts';
import { WindowWatch } from './window-watch.ts';

export interface ExtractionServiceParts {
  readonly reader: DocumentReader;
  readonly schemas: Pick<SchemaService, 'compile'>;
  readonly text: Pick<TextService, 'readyEngine' | 'measure'>;
  /** Chooses the extractor for an engine. */
  readonly extractorFor: (engine: TextEngine) => Extractor;
  readonly cite: (extracted: ExtractedData, job: ExtractionJob) => CitationTree;
  /** Time limit of an extraction. */
  readonly timeoutMs?: number;
  readonly clock?: Pick<Clock, 'nowMs'>;
}

/** An extraction's result and usage. */
export interface Extraction extends ExtractedData {
  readonly pages: number;
  readonly files: number;
  readonly ocrUsed: boolean;
  readonly usage: ExtractionUsage;
  /** Present if citations were asked for. */
  readonly citations?: CitationTree;
}

const TIMEOUT_MS = 240_000;
/** After this fraction of the time, the model is asked only for fields that rules cannot fill. */
const LEISURE_FRACTION = 0.55;
/** After this fraction of the time, the extraction returns what it has. */
const HURRY_FRACTION = 0.96;

/** Extracts data from documents: refuse early, read, extract, within a deadline. */
export class ExtractionService {
  readonly #parts: ExtractionServiceParts;

  constructor(parts: ExtractionServiceParts) {
    this.#parts = parts;
  }

  async extract(
    caller: Caller,
    request: ExtractionRequest,
    { meter, signal }: MeteredWork,
  ): Promise<Extraction> {
    const { timeoutMs = TIMEOUT_MS, clock = systemClock } = this.#parts;
    const startedMs = clock.nowMs();
    const timeout = AbortSignal.timeout(timeoutMs);
    const leisure = AbortSignal.timeout(Math.floor(LEISURE_FRACTION * timeoutMs));
    const hurry = AbortSignal.timeout(Math.floor(HURRY_FRACTION * timeoutMs));
    try {
      const within = AbortSignal.any([signal, timeout]);
      return await this.#extract(caller, request, { meter, signal: within, leisure, hurry });
    } catch (error) {
      signal.throwIfAborted();
      if (!timeout.aborted && !(hurry.aborted && error === hurry.reason)) throw withSchemaFault(error);
      const waitedMs = clock.nowMs() - startedMs;
      throw outOfTime({ waitedMs, timeoutMs, cause: error });
    }
  }

  async #extract(
    caller: Caller,
    request: ExtractionRequest,
    { meter, signal, leisure, hurry }: MeteredWork & Pick<ExtractionJob, 'leisure' | 'hurry'>,
  ): Promise<Extraction> {
    const { reader, schemas, text, extractorFor, cite } = this.#parts;
    const work = { stackId: caller.stack.id, signal, span: meter.trace };
    const schema = await readTargetSchema(request.schema, schemas, work);
    const pages = await checkFiles(request, caller, reader, work);
    // Before reading: OCR would be wasted if the model is not available.
    const engine = await text.readyEngine(caller, signal);
    const { system, user, maxTokens, confidence: wantsConfidence } = request;
    const asked = { schema, system, user, maxTokens, showsSchema: true, wantsConfidence };
    const names = request.files.map(({ name }) => name);
    const watch = new WindowWatch({ text, caller, asked, names, pages, meter, signal });
    const documents = await this.#readAll(request, watch, work);
    meter.add({ pages });
    const charged = new ExtractionMeter(meter);
    const job = { ...asked, caller, meter: charged, engine, documents, leisure, hurry };
    const extracted = await extractorFor(engine).extract(job, signal);
    const ocrUsed = request.route === 'images' || documents.some((document) => document.ocrUsed);
    const citations = request.citations ? { citations: cite(extracted, job) } : {};
    const { data } = extracted;
    const confidence = wantsConfidence ? { confidence: completeConfidence(data, extracted.confidence) } : {};
    const { usage } = charged;
    return { data, pages, files: request.files.length, ocrUsed, usage, ...citations, ...confidence };
  }

  /** Reads all files in parallel; stops all reading when one fails or the context window overflows. */
  async #readAll(
    { route, files }: ExtractionRequest,
    watch: WindowWatch,
    { stackId, signal, span }: StackWork,
  ): Promise<readonly NamedDocument[]> {
    const ended = new AbortController();
    const work = { stackId, signal: AbortSignal.any([signal, ended.signal]), span };
    const read = async (file: NamedFile, index: number) => {
      const tell: PageWatch = (pages) => watch.tell(index, pages);
      const document = await this.#read({ route, file }, tell, work);
      await tell(document.pages);
      return document;
    };
    try {
      await watch.begin();
      return await Promise.all(files.map(read));
    } finally {
      ended.abort(new Error('another file failed'));
    }
  }

  async #read(
    { route, file }: { readonly route: ExtractionRoute; readonly file: NamedFile },
    watch: PageWatch,
    { stackId, signal, span }: StackWork,
  ): Promise<NamedDocument> {
    const { reader } = this.#parts;
    const ofStack = { ...file, stackId, span };
    const document = await (route === 'documents'
      ? reader.readPdf(ofStack, signal, watch)
      : reader.readImage(ofStack, signal));
    if (document.pages.some((page) => page.text.trim() !== '')) return { ...document, name: file.name };
    throw new Fault('document-empty', `The file "${file.name}" has no text that can be extracted.`);
  }
}

function outOfTime(ended: {
  readonly waitedMs: number;
  readonly timeoutMs: number;
  readonly cause: unknown;
}): Fault {
  const [waited, most] = [ended.waitedMs, ended.timeoutMs].map(shownSeconds);
  const message = `The extraction was stopped after ${waited} seconds, since it may take ${most}; send fewer pages at once.`;
  return new Fault('extraction-timeout', message, { cause: ended.cause });
}

function shownSeconds(durationMs: number): string {
  return String(Number((durationMs / 1000).toPrecision(3)));
}
