import { expect } from 'vitest';
import type { Caller } from '../../src/access/caller.ts';
import { PictureProcess } from '../../src/pictures/picture-process.ts';
import { FakeCallerDirectory, makeCaller } from '../fake-callers.ts';
import { type Call, call } from '../http-call.ts';
import { HttpGateway } from '../http-gateway.ts';
import { multipartBody, multipartType, type TestPart } from '../multipart.ts';
import type { RawAnswer } from '../raw-client.ts';
import { storageRoom } from '../storage-room.ts';
import { FakeImageEngine } from './fake-image-engine.ts';
import { imageService } from './image-service.ts';
import { KeepingGallery } from './keeping-gallery.ts';
import { MemoryImageQueue } from './memory-image-queue.ts';

export const GENERATIONS = '/v1/images/generations';
export const EDITS = '/v1/images/edits';

/** An answer; its JSON keeps all digits of the seed. */
export interface ImageAnswer {
  readonly status: number;
  readonly headers: RawAnswer['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes.
  readonly body: any;
}

/** The HTTP gateway with real pictures and an in-memory engine, queue and gallery. */
export class ImageGateway implements AsyncDisposable {
  readonly engine = new FakeImageEngine();
  readonly queue = new MemoryImageQueue();
  readonly gallery = new KeepingGallery();
  readonly pictures = new PictureProcess();
  readonly #directory = new FakeCallerDirectory();
  #http: HttpGateway | undefined;

  static async start(callers: Readonly<Record<string, Caller>> = {}): Promise<ImageGateway> {
    const gateway = new ImageGateway();
    const known = {
      'sk-a': makeCaller(),
      'sk-prompt': makeCaller({ key: { id: 'art', prompt: 'a key’s fox' } }),
      ...callers,
    };
    for (const [key, caller] of Object.entries(known)) gateway.#directory.add(key, caller);
    const { engine, queue, gallery, pictures } = gateway;
    const storedBytes = async () => gallery.images.reduce((sum, { png }) => sum + png.byteLength, 0);
    const storage = storageRoom({ book: { storedBytes } });
    const images = imageService([['flux', engine]], { queue, gallery, pictures, storage });
    gateway.#http = await HttpGateway.start({ directory: gateway.#directory, images });
    return gateway;
  }

  get http(): HttpGateway {
    if (this.#http === undefined) throw new Error('the gateway is not started');
    return this.#http;
  }

  /** Sends a body unchanged. */
  async send(request: Call): Promise<ImageAnswer> {
    const answer = await call(this.http, { method: 'POST', key: 'sk-a', ...request });
    return {
      status: answer.status,
      headers: answer.headers,
      text: answer.body,
      body: JSON.parse(answer.body),
    };
  }

  /** A generation with these fields and a prompt; a string is sent unchanged. */
  async generate(fields: object | string = {}, key = 'sk-a'): Promise<ImageAnswer> {
    const body = typeof fields === 'string' ? fields : JSON.stringify({ prompt: 'a fox', ...fields });
    return await this.send({ path: GENERATIONS, key, body, headers: { 'content-type': 'application/json' } });
  }

  /** An edit with these parts. */
  async edit(parts: readonly TestPart[], key = 'sk-a'): Promise<ImageAnswer> {
    const headers = { 'content-type': multipartType };
    return await this.send({ path: EDITS, key, headers, body: multipartBody(parts) });
  }

  /** Checks that nothing is left. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http?.[Symbol.asyncDispose]();
    await this.pictures.close(AbortSignal.timeout(10_000));
    expect([this.queue.held, this.engine.painting]).toEqual([0, 0]);
  }
}
