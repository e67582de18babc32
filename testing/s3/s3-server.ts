import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type S3Credentials, signatureProblem } from './signature.ts';

interface StoredObject {
  readonly bytes: Buffer;
  readonly metadata: Readonly<Record<string, string>>;
  readonly modifiedAt: Date;
}

/** An error, or doing the work and cutting the connection, instead of an honest answer. */
type Misbehaviour = { readonly status: number; readonly code: string } | 'cut' | 'stall';

/** A fraction of what a server gives: several pages of few objects. */
const PAGE = 40;
const statuses: Readonly<Record<string, number>> = { NoSuchKey: 404, NoSuchBucket: 404 };

/** The subset of S3 that a blob store uses, on loopback, in memory: one bucket, signatures checked, able to misbehave. */
export class S3Server implements AsyncDisposable {
  readonly credentials: S3Credentials = {
    accessKeyId: 'AKIDTEST',
    secretAccessKey: 'secret/with+signs=',
    region: 'eu-test-1',
  };
  readonly bucket = 'pictures';
  readonly objects = new Map<string, StoredObject>();
  /** For the next requests of a method, in order. */
  readonly misbehaviours: { readonly method: string; readonly what: Misbehaviour }[] = [];
  /** How all other requests of a method fare, for longer spells of trouble. */
  weather: (method: string) => Promise<Misbehaviour | undefined> = async () => undefined;
  /** Called when a request stalls. */
  onStall: () => void = () => {};
  /** Parts of files that are not complete. */
  readonly uploads = new Map<string, Map<number, Buffer>>();
  #uploadCount = 1;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<S3Server> {
    const s3 = new S3Server();
    await new Promise<void>((resolve) => s3.#server.listen(0, '127.0.0.1', resolve));
    return s3;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const problem = signatureProblem(request, body, this.credentials);
    if (problem !== undefined) return sendError(response, 403, problem);
    const turn = this.misbehaviours.findIndex(({ method }) => method === request.method);
    const what =
      turn === -1 ? await this.weather(request.method ?? '') : this.misbehaviours.splice(turn, 1)[0]?.what;
    if (typeof what === 'object') return sendError(response, what.status, what.code);
    if (what === 'stall') return this.onStall();
    const { pathname, searchParams } = new URL(request.url ?? '', this.endpoint);
    const [, bucket, ...rest] = pathname.split('/').map(decodeURIComponent);
    if (bucket !== this.bucket) return sendError(response, 404, 'NoSuchBucket');
    const key = rest.join('/');
    if (key === '' && searchParams.get('list-type') === '2') return this.#list(searchParams, response);
    if (searchParams.has('uploads') || searchParams.has('uploadId'))
      return this.#upload({ key, method: request.method ?? '', query: searchParams, body, response });
    this.#answer({ key, request, response, body, cut: what === 'cut' });
  }

  #answer(ask: {
    key: string;
    request: IncomingMessage;
    response: ServerResponse;
    body: Buffer;
    cut: boolean;
  }): void {
    const { key, request, response, body, cut } = ask;
    const found = this.objects.get(key);
    if (request.method === 'PUT') {
      this.objects.set(key, { bytes: body, metadata: metadataOf(request), modifiedAt: new Date() });
      if (cut) response.destroy();
      else response.writeHead(200, { etag: etagOf(body) }).end();
    } else if (request.method === 'DELETE') {
      this.objects.delete(key);
      response.writeHead(204).end();
    } else if (found === undefined) {
      sendError(response, 404, 'NoSuchKey');
    } else {
      const head = {
        ...found.metadata,
        'content-length': found.bytes.byteLength,
        etag: etagOf(found.bytes),
        'last-modified': found.modifiedAt.toUTCString(),
      };
      response.writeHead(200, head).end(request.method === 'HEAD' ? undefined : found.bytes);
    }
  }

  /** A file that is sent in parts, and there when it is completed. */
  #upload(ask: {
    key: string;
    method: string;
    query: URLSearchParams;
    body: Buffer;
    response: ServerResponse;
  }): void {
    const { key, method, query, body, response } = ask;
    const id = query.get('uploadId') ?? `upload-${this.#uploadCount++}`;
    const parts = this.uploads.get(id) ?? new Map<number, Buffer>();
    if (query.has('uploads')) {
      this.uploads.set(id, parts);
      sendXml(
        response,
        200,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    } else if (method === 'PUT') {
      parts.set(Number(query.get('partNumber')), body);
      response.writeHead(200, { etag: etagOf(body) }).end();
    } else {
      this.uploads.delete(id);
      if (method === 'DELETE') return void response.writeHead(204).end();
      const bytes = Buffer.concat([...parts].sort(([one], [other]) => one - other).map(([, part]) => part));
      this.objects.set(key, { bytes, metadata: {}, modifiedAt: new Date() });
      sendXml(
        response,
        200,
        '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>',
      );
    }
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, PAGE);
    const isTruncated = keys.length > page.length;
    const contents = page.map((key) => {
      const object = this.objects.get(key);
      const etag = etagOf(object?.bytes ?? Buffer.alloc(0)).replaceAll('"', '&quot;');
      return `<Contents><Key>${key}</Key><LastModified>${object?.modifiedAt.toISOString()}</LastModified><ETag>${etag}</ETag><Size>${object?.bytes.byteLength}</Size></Contents>`;
    });
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    sendXml(
      response,
      200,
      `<ListBucketResult><Name>${this.bucket}</Name><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    );
  }
}

function metadataOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith('x-amz-meta-') ? [[name, String(value)]] : [],
    ),
  );
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

function sendError(response: ServerResponse, status: number, code: string): void {
  sendXml(
    response,
    statuses[code] ?? status,
    `<Error><Code>${code}</Code><Message>${code}</Message></Error>`,
  );
}

function sendXml(response: ServerResponse, status: number, xml: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`);
}
