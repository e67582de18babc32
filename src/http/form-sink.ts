import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { Fault } from '../faults/fault.ts';
import { type Form, type FormFile, MAX_FORM_FIELD_BYTES } from '../lib/form.ts';
import { type ArrivalRoom, ArrivingBytes } from './arriving-bytes.ts';
import type { BodyDigest } from './body-digest.ts';
import type { BodySink } from './body-sink.ts';

/** A form with more texts and files than this is refused. */
export const MAX_FORM_PARTS = 1_000;
const FINISH_MS = 5_000;
/** Types of real files: browsers never send one for a file field that was left empty. */
const FILE_TYPE = /^(?:application\/pdf$|image\/)/;
const MAX_NAME_BYTES = 200;
const MAX_PART_HEADERS = 20;
const MAX_PART_HEADER_BYTES = 8 * 1024;

/** The room for a form, and the hash of its parts if it needs one. */
export interface FormRoom extends ArrivalRoom {
  readonly digest?: BodyDigest | undefined;
}

/** A file whose bytes are arriving. */
interface Arriving {
  readonly field: string;
  readonly fileName: string;
  /** Whether it stands for an empty file field if it has no bytes. */
  readonly mayBeUnchosen: boolean;
  readonly bytes: ArrivingBytes;
}

/** Reads a multipart or URL-encoded form while it arrives; large files go to the disk. The reader of the body bounds its size. */
export class FormSink implements BodySink {
  readonly #parser: BusboyInstance;
  readonly #fields = new Map<string, string>();
  readonly #lists = new Map<string, string[]>();
  readonly #cutFields = new Set<string>();
  readonly #files: Arriving[] = [];
  readonly #whole: Promise<void>;
  readonly #room: FormRoom;
  #fieldCount = 0;
  #isDropped = false;
  #fault: Fault | undefined;

  /** Throws if the type names no boundary. */
  constructor(contentType: string, room: FormRoom) {
    this.#room = room;
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
        // A truncated file emits no end, and the parser would wait for it.
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
    // All bytes are here, so the parser ends at once; one that does not is stuck.
    const timer = setTimeout(() => this.#parser.emit('error', new Error('no end')), FINISH_MS);
    await this.#whole;
    clearTimeout(timer);
    if (this.#fault !== undefined) throw this.#fault;
    const files: FormFile[] = [];
    for (const { field, fileName, bytes } of this.#files.filter(wasChosen)) {
      files.push({ field, fileName, bytes: await bytes.finish() });
    }
    return { fields: this.#fields, lists: this.#lists, cutFields: this.#cutFields, files };
  }

  get congestion(): Promise<void> | undefined {
    return this.#files.at(-1)?.bytes.congestion;
  }

  drop(): void {
    // The parser may still emit bytes that it has buffered.
    this.#isDropped = true;
    this.#parser.removeAllListeners('field').removeAllListeners('file');
    for (const { bytes } of this.#files.splice(0)) bytes.drop();
  }

  #takeField(field: { name?: string; value: string; isNameCut: boolean; isCut: boolean }): void {
    const { name, value, isNameCut, isCut } = field;
    this.#fieldCount += 1;
    if (this.#fieldCount > MAX_FORM_PARTS) this.#refuse(tooMany());
    if (name === undefined) return;
    if (isNameCut || name.length > MAX_NAME_BYTES) this.#refuse(nameTooLong());
    const noRoom = this.#room.memory.grow(value.length);
    if (noRoom !== undefined) this.#refuse(noRoom);
    this.#room.digest?.openPart('field', name).update(value);
    if (isCut) this.#cutFields.add(name);
    else this.#cutFields.delete(name);
    this.#fields.set(name, value);
    const list = this.#lists.get(name);
    if (list === undefined) this.#lists.set(name, [value]);
    else list.push(value);
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
    const name = fileName ?? '';
    const arriving: Arriving = {
      field,
      fileName: name,
      mayBeUnchosen,
      bytes: new ArrivingBytes(this.#room),
    };
    this.#files.push(arriving);
    const hash = this.#room.digest?.openPart('file', field, name, type);
    stream.on('data', (chunk: Buffer) => {
      hash?.update(chunk);
      this.#keep(arriving, chunk);
    });
  }

  #keep(arriving: Arriving, chunk: Buffer): void {
    if (this.#isDropped || this.#fault !== undefined) return;
    const noRoom = arriving.bytes.add(chunk);
    if (noRoom !== undefined) this.#refuse(noRoom);
  }

  #refuse(fault: Fault): void {
    this.#fault ??= fault;
  }
}

/** The form of an empty body. */
export const emptyForm: Form = { fields: new Map(), lists: new Map(), cutFields: new Set(), files: [] };

function openParser(contentType: string): BusboyInstance {
  // The parser would wait for an empty boundary forever.
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

// Some clients send a file's type without a name. JSON without a file name is a text field, such as a schema.
function isPartAFile(_name: unknown, type: string | undefined, fileName: string | undefined): boolean {
  return fileName !== undefined || type === 'application/octet-stream' || FILE_TYPE.test(type ?? '');
}

function wasChosen({ mayBeUnchosen, bytes }: Arriving): boolean {
  return !mayBeUnchosen || bytes.sizeBytes > 0;
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
