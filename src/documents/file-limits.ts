import type { Caller } from '../access/caller.ts';
import { Fault } from '../faults/fault.ts';
import type { DocumentReader, ImageFacts } from '../reading/document-reader.ts';
import type { StackWork } from '../supervision/stack-work.ts';
import type { ExtractionRequest, NamedFile } from './extraction-request.ts';

type Plan = Caller['plan'];
/** Supported pictures. */
const FORMATS: ReadonlySet<string> = new Set(['JPEG', 'PNG', 'WEBP']);

type Request = Pick<ExtractionRequest, 'route' | 'files'>;

/** Checks plan limits and readability before reading; returns the number of pages. */
export async function checkFiles(
  { route, files }: Request,
  caller: Caller,
  reader: DocumentReader,
  work: StackWork,
): Promise<number> {
  checkNumberOfFiles(files, caller.plan);
  checkBytes({ route, files }, caller.plan);
  return route === 'documents'
    ? await checkPages(files, caller, reader, work)
    : await checkPixels(files, caller, reader, work);
}

function checkNumberOfFiles(files: readonly NamedFile[], { name, limits }: Plan): void {
  const most = limits.extraction.files;
  if (files.length <= most) return;
  const several = most === 1 ? ' Several files need the plan pro or higher.' : '';
  throw tooMuch(
    `${files.length} files were sent; the plan ${name} takes ${most} per request (extraction.files).${several}`,
  );
}

function checkBytes({ route, files }: Request, { name, limits }: Plan): void {
  const { documentBytes, imageBytes } = limits.extraction;
  const [most, limit] =
    route === 'documents' ? [documentBytes, 'document_bytes'] : [imageBytes, 'image_bytes'];
  const sizeBytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (sizeBytes > most) {
    throw tooMuch(
      `The files have ${sizeBytes} bytes together; the plan ${name} takes ${most} (extraction.${limit}).`,
    );
  }
}

async function checkPages(
  files: readonly NamedFile[],
  { plan: { name, limits } }: Caller,
  reader: DocumentReader,
  { stackId, signal, span }: StackWork,
): Promise<number> {
  const inspected = await inspectAll(files, async (file) => {
    if (reader.kindOf(file.bytes) !== 'pdf') throw notA(file, 'PDF');
    const { pages } = await reader.inspectPdf({ ...file, stackId, span }, signal);
    if (pages === 0) throw new Fault('document-empty', `The file "${file.name}" has no pages.`);
    return pages;
  });
  const pages = inspected.facts.reduce((sum, count) => sum + count, 0);
  const most = limits.extraction.pages;
  if (pages > most) {
    throw tooMuch(
      `The files have ${pages} pages together; the plan ${name} takes ${most} (extraction.pages).`,
    );
  }
  inspected.throwFirst();
  return pages;
}

async function checkPixels(
  files: readonly NamedFile[],
  { plan: { name, limits } }: Caller,
  reader: DocumentReader,
  { stackId, signal, span }: StackWork,
): Promise<number> {
  const inspected = await inspectAll(files, async (file) => {
    if (reader.kindOf(file.bytes) !== 'image') throw notAPicture(file);
    const facts = await reader.inspectImage({ ...file, stackId, span }, signal);
    // The reader supports more, for conversations.
    if (!FORMATS.has(facts.format)) throw notAPicture(file);
    return { file, facts };
  });
  const most = limits.extraction.megapixels;
  for (const { file, facts } of inspected.facts) {
    if (facts.megapixels <= most) continue;
    throw tooMuch(
      `The image "${file.name}" has ${shown(facts)}; the plan ${name} takes ${most} megapixels per image (extraction.megapixels).`,
    );
  }
  inspected.throwFirst();
  return files.length;
}

interface Inspected<Facts> {
  readonly facts: readonly Facts[];
  /** Throws the fault of the first unreadable file, if any. */
  readonly throwFirst: () => void;
}

/** Inspects every file before failing: an exceeded limit takes precedence over a broken file. */
async function inspectAll<Facts>(
  files: readonly NamedFile[],
  inspect: (file: NamedFile) => Promise<Facts>,
): Promise<Inspected<Facts>> {
  const facts: Facts[] = [];
  const failures: unknown[] = [];
  for (const file of files) {
    try {
      if (file.bytes.length === 0) throw new Fault('document-empty', `The file "${file.name}" is empty.`);
      facts.push(await inspect(file));
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== 400) throw error;
      failures.push(error);
    }
  }
  return {
    facts,
    throwFirst: () => {
      if (failures.length > 0) throw failures[0];
    },
  };
}

function notAPicture(file: NamedFile): Fault {
  return notA(file, 'JPEG, PNG or WEBP image');
}

function notA(file: NamedFile, kind: string): Fault {
  return new Fault('document-unreadable', `The file "${file.name}" is no ${kind}.`);
}

function tooMuch(message: string): Fault {
  return new Fault('extraction-limit-exceeded', message);
}

function shown({ width, height, megapixels }: ImageFacts): string {
  return `${width} × ${height} pixels (${megapixels.toFixed(1)} megapixels)`;
}
