import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { Fault } from '../faults/fault.ts';
import { MAX_PICTURE_MEGAPIXELS } from '../pictures/picture-job.ts';
import type { DocumentFile, DocumentReader, ReadDocument } from '../reading/document-reader.ts';
import type { StackWork } from '../supervision/stack-work.ts';
import type { AttachmentReader } from './attachment-reader.ts';
import type { AttachedPart } from './conversation.ts';
import { placeholderReader } from './placeholder-reader.ts';

/** Limits for one attachment of a conversation; the extraction routes have limits by plan instead. */
const MAX_PAGES = 100;
const MAX_TEXT_MEGABYTES = 1;
/** Clients repeat the conversation with every request, including its attachments; each is read once. */
const MAX_REMEMBERED = 200;
const MAX_REMEMBERED_CHARACTERS = 8_000_000;

/**
 * Replaces pictures and documents by their text. An unreadable one becomes a note with the reason. An error would be worse:
 * the client repeats the conversation and could not remove the attachment from it.
 */
export class DocumentAttachmentReader implements AttachmentReader {
  readonly #reader: DocumentReader;
  readonly #remembered = new Map<string, string>();
  #rememberedCharacters = 0;

  constructor(reader: DocumentReader) {
    this.#reader = reader;
  }

  async read(part: AttachedPart, work: StackWork): Promise<string> {
    const { stackId, signal, span } = work;
    const placeholder = await placeholderReader.read(part, work);
    const file = { stackId, bytes: Buffer.from(part.base64, 'base64'), name: part.name, span };
    const kind = this.#reader.kindOf(file.bytes);
    if (kind === undefined) return plainText(part, file.bytes) ?? placeholder;
    const label = placeholder.slice(0, -1);
    const key = createHash('sha256').update(file.bytes).digest('base64');
    const known = this.#recalled(key);
    if (known !== undefined) return `${label}${known}`;
    try {
      const text = kind === 'pdf' ? await this.#pdfText(file, signal) : await this.#imageText(file, signal);
      this.#remember(key, text);
      return `${label}${text}`;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Fault)) throw error;
      return error.code === 'document-unreadable' ? `${label}; ${reason(error)}]` : placeholder;
    }
  }

  async #pdfText(file: DocumentFile, signal: AbortSignal): Promise<string> {
    const { pages } = await this.#reader.inspectPdf(file, signal);
    if (pages > MAX_PAGES) return `; not read, because it has ${pages} pages and at most ${MAX_PAGES} are]`;
    return labelled(await this.#reader.readPdf(file, signal), pages === 1 ? '1 page' : `${pages} pages`);
  }

  async #imageText(file: DocumentFile, signal: AbortSignal): Promise<string> {
    const { megapixels } = await this.#reader.inspectImage(file, signal);
    if (megapixels > MAX_PICTURE_MEGAPIXELS)
      return `; not read, because it has over ${MAX_PICTURE_MEGAPIXELS} megapixels]`;
    return labelled(await this.#reader.readImage(file, signal), 'its text');
  }

  #recalled(key: string): string | undefined {
    const text = this.#remembered.get(key);
    if (text === undefined) return undefined;
    // Keeps recently used entries longest.
    this.#remembered.delete(key);
    this.#remembered.set(key, text);
    return text;
  }

  #remember(key: string, text: string): void {
    if (this.#remembered.has(key) || text.length > MAX_REMEMBERED_CHARACTERS) return;
    this.#remembered.set(key, text);
    this.#rememberedCharacters += text.length;
    for (const [oldest, oldText] of this.#remembered) {
      const isFull =
        this.#remembered.size > MAX_REMEMBERED || this.#rememberedCharacters > MAX_REMEMBERED_CHARACTERS;
      if (!isFull) return;
      this.#remembered.delete(oldest);
      this.#rememberedCharacters -= oldText.length;
    }
  }
}

/** A file of plain text, such as TXT or Markdown; `undefined` if it is something else. */
function plainText({ type, name }: AttachedPart, bytes: Buffer): string | undefined {
  // Text has no NUL, and programs that are neither picture nor PDF nearly always do.
  if (type !== 'document' || bytes.length === 0 || bytes.includes(0) || !isUtf8(bytes)) return undefined;
  const label = `[document: ${name === undefined ? '' : `${name}, `}text`;
  if (bytes.length > MAX_TEXT_MEGABYTES * 1_000_000)
    return `${label}; not read, because it has over ${MAX_TEXT_MEGABYTES} MB]`;
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  return text.trim() === '' ? `${label}, without any]` : `${label}:]\n${text}\n[end]`;
}

/** The text that follows the start of the label, such as `[document: a.pdf, PDF`. */
function labelled({ pages }: ReadDocument, what: string): string {
  const texts = pages.map(({ text }) => text);
  if (texts.every((text) => text.trim() === '')) return ', without any text]';
  const body =
    pages.length === 1
      ? texts.join('')
      : texts.map((text, index) => `--- page ${index + 1} of ${pages.length}\n${text}`).join('\n');
  return `, ${what}:]\n${body}\n[end]`;
}

/** The fault's message without its subject, which is in the label. */
function reason({ message }: Fault): string {
  return message.replace(/^The (PDF|image)( ".*?")? /su, 'it ').replace(/\.$/u, '');
}
