import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { Fault } from '../faults/fault.ts';
import { type Form, type FormFile, MAX_FORM_FIELD_BYTES } from '../lib/form.ts';
import type { BodySink } from './body-sink.ts';

/** A form with more texts and files than this is refused. */
export const MAX_FORM_PARTS = 1_000;
const FINISH_MS = 5_000;
/** Types that say what a file is; browsers give none of them to a file that was not chosen. */
const FILE_TYPE = /^(?:application\/pdf$|image\/)/;
const MAX_NAME_BYTES = 200;
const MAX_PART_HEADERS = 20;
const MAX_PART_HEADER_BYTES = 8 * 1024;

/** A file whose bytes are arriving. */
interface Arriving {
  readonly field: string;
  readonly fileName: string;
  /** Whether it is what browsers send where no file was chosen, if no bytes come. */
  readonly mayBeUnchosen: boolean;
  readonly chunks: Buffer[];
}

/** Reads a multipart or URL-encoded form into memory while it arrives. Its size is bounded by whoever feeds it. */
export class FormSink implements BodySink {
  readonly #parser: BusboyInstance;
  readonly #fields = new Map<string, string>();
  readonly #cutFields = new Set<string>();
  readonly #files: Arriving[] = [];
  readonly #whole: Promise<void>;
  #fieldCount = 0;
  #fault: Fault | undefined;

  /** Throws where the type names no boundary. */
  constructor(contentType: string) {
    this.#parser = openParser(contentType);
    this.#whole = new Promise((resolve) => {
      this.#parser.once('finish', resolve);
      this.#parser.on('error', () => {
        this.#refuse(malformed());
        resolve();
      });
      for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit']) {
        this.#parser.once(limit, () => this.#refuse(tooMany()));
      }
      this.#parser.on('field', (name, value, isNameCut, isCut) =>
        this.#takeField({ name, value, isNameCut, isCut }),
      );
      this.#parser.on('file', (field, stream, fileName, _encoding, type) => {
        // A file that breaks off never ends, and the parser waits for it.
        stream.on('error', () => {
          this.#refuse(malformed());
          resolve();
        });
        this.#takeFile(field, stream, { fileName, type });
      });
    });
  }

  add(chunk: Buffer): Fault | undefined {
    this.#parser.write(chunk);
    return this.#fault;
  }

  async finish(): Promise<Form> {
    this.#parser.end();
    // All bytes are here, so this takes no time; a parser that waits all the same has lost its way.
    const timer = setTimeout(() => this.#parser.emit('error', new Error('no end')), FINISH_MS);
    await this.#whole;
    clearTimeout(timer);
    if (this.#fault !== undefined) throw this.#fault;
    const files = this.#files.filter(wasChosen).map(joined);
    return { fields: this.#fields, cutFields: this.#cutFields, files };
  }

  drop(): void {
    this.#parser.removeAllListeners('field').removeAllListeners('file');
    this.#files.length = 0;
  }

  #takeField(field: { name?: string; value: string; isNameCut: boolean; isCut: boolean }): void {
    const { name, value, isNameCut, isCut } = field;
    this.#fieldCount += 1;
    if (this.#fieldCount > MAX_FORM_PARTS) this.#refuse(tooMany());
    if (name === undefined) return;
    if (isNameCut || name.length > MAX_NAME_BYTES) this.#refuse(nameTooLong());
    if (isCut) this.#cutFields.add(name);
    else this.#cutFields.delete(name);
    this.#fields.set(name, value);
  }

  #takeFile(
    field: string | undefined,
    stream: BusboyFileStream,
    { fileName, type }: { readonly fileName: string | undefined; readonly type: string },
  ): void {
    if (field === undefined) {
      stream.resume();
      return;
    }
    if (field.length > MAX_NAME_BYTES) this.#refuse(nameTooLong());
    const mayBeUnchosen = fileName === '' && !FILE_TYPE.test(type);
    const arriving: Arriving = { field, fileName: fileName ?? '', mayBeUnchosen, chunks: [] };
    this.#files.push(arriving);
    stream.on('data', (chunk: Buffer) => arriving.chunks.push(chunk));
  }

  #refuse(fault: Fault): void {
    this.#fault ??= fault;
  }
}

/** The form of an empty body. */
export const emptyForm: Form = { fields: new Map(), cutFields: new Set(), files: [] };

function openParser(contentType: string): BusboyInstance {
  // An empty one would match nowhere, and the parser would wait for it without end.
  if (/boundary=(?:""|\s*(?:;|$))/i.test(contentType)) throw malformed();
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        parts: MAX_FORM_PARTS,
        fields: MAX_FORM_PARTS + 1,
        fieldSize: MAX_FORM_FIELD_BYTES,
        fieldNameSize: MAX_NAME_BYTES,
        headerPairs: MAX_PART_HEADERS,
        headerSize: MAX_PART_HEADER_BYTES,
      },
      isPartAFile,
    });
  } catch {
    throw malformed();
  }
}

// Some clients name no file, and give the type alone; JSON without a file name is a text such as a schema.
function isPartAFile(_name: unknown, type: string | undefined, fileName: string | undefined): boolean {
  return fileName !== undefined || type === 'application/octet-stream' || FILE_TYPE.test(type ?? '');
}

function joined({ field, fileName, chunks }: Arriving): FormFile {
  const [first] = chunks;
  const bytes = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
  return { field, fileName, bytes };
}

function wasChosen({ mayBeUnchosen, chunks }: Arriving): boolean {
  return !mayBeUnchosen || chunks.length > 0;
}

function malformed(): Fault {
  return new Fault(
    'request-malformed',
    'The body is not a whole multipart/form-data form with the boundary that Content-Type names.',
  );
}

function tooMany(): Fault {
  return new Fault('request-malformed', `The form has more than ${MAX_FORM_PARTS} fields.`);
}

function nameTooLong(): Fault {
  return new Fault('request-malformed', `The name of a field is longer than ${MAX_NAME_BYTES} bytes.`);
}
