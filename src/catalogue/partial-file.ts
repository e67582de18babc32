import { type FileHandle, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import * as z from 'zod';

const originSchema = z.object({
  url: z.string(),
  etag: z.string().optional(),
  totalBytes: z.number().optional(),
  sha256: z.string().optional(),
});

/** The server's validators when the transfer started; a resumed one must match. */
export type FileOrigin = Readonly<z.infer<typeof originSchema>>;

/** A file being received, with the state needed to resume. */
export class PartialFile implements AsyncDisposable {
  readonly path: string;
  readonly #file: FileHandle;
  #receivedBytes: number;
  #origin: FileOrigin | undefined;

  private constructor(
    path: string,
    opened: { file: FileHandle; size: number; origin: FileOrigin | undefined },
  ) {
    this.path = path;
    this.#file = opened.file;
    this.#receivedBytes = opened.origin === undefined ? 0 : opened.size;
    this.#origin = opened.origin;
  }

  /** Opens the remains of an earlier transfer, or an empty file. */
  static async open(path: string, url: string): Promise<PartialFile> {
    const origin = await readOrigin(path);
    const file = await open(path, origin?.url === url ? 'a+' : 'w+', 0o600);
    const { size } = await stat(path);
    return new PartialFile(path, { file, size, origin: origin?.url === url ? origin : undefined });
  }

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Undefined until the first response. */
  get origin(): FileOrigin | undefined {
    return this.#origin;
  }

  /** Discards received bytes and starts over with this origin. */
  async restart(origin: FileOrigin): Promise<void> {
    await this.#file.truncate(0);
    this.#receivedBytes = 0;
    this.#origin = origin;
    // Not synced: a damaged record counts as none, and a stale one fails at the server or the hash.
    await writeFile(originPath(this.path), JSON.stringify(origin), { mode: 0o600 });
  }

  async append(chunk: Uint8Array): Promise<void> {
    let written = 0;
    while (written < chunk.length) {
      const { bytesWritten } = await this.#file.write(
        chunk,
        written,
        chunk.length - written,
        this.#receivedBytes,
      );
      written += bytesWritten;
      this.#receivedBytes += bytesWritten;
    }
  }

  async discard(): Promise<void> {
    await this.#file.truncate(0);
    this.#receivedBytes = 0;
    this.#origin = undefined;
    await rm(originPath(this.path), { force: true });
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close();
  }
}

function originPath(path: string): string {
  return `${path}.json`;
}

async function readOrigin(path: string): Promise<FileOrigin | undefined> {
  try {
    return originSchema.parse(JSON.parse(await readFile(originPath(path), 'utf8')));
  } catch {
    // Without it the received bytes are useless, and the transfer starts over.
    return undefined;
  }
}
