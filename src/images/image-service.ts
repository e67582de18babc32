import type { Caller } from '../access/caller.ts';
import type { Meter, MeteredWork } from '../access/meter.ts';
import { permitsModel, requireModel } from '../access/require-model.ts';
import type { StackWaker } from '../access/stack-waker.ts';
import type { StorageRoom } from '../access/storage-room.ts';
import { Fault, toFault } from '../faults/fault.ts';
import type { Clock } from '../lib/clock.ts';
import {
  type CleanPicture,
  MAX_PICTURE_MEGAPIXELS,
  type PictureResult,
  type RefusedPicture,
} from '../pictures/picture-job.ts';
import type { PictureProcess } from '../pictures/picture-process.ts';
import type { StackWork } from '../supervision/stack-work.ts';
import type { Gallery, StoredImage } from './gallery.ts';
import type { ImageEngine, ImageOrder, Painting } from './image-engine.ts';
import { newImageId } from './image-id.ts';
import type { ImagePermit, ImageQueue, ImageStanding } from './image-queue.ts';
import type { ImageRequest } from './image-request.ts';
import type { PaintedImage } from './painted-image.ts';
import { randomSeed } from './random-seed.ts';

export interface ImageServiceParts {
  /** Available engines, by their names in the configuration. */
  readonly engines: ReadonlyMap<string, ImageEngine>;
  readonly pictures: Pick<PictureProcess, 'clean' | 'verify'>;
  readonly queue: ImageQueue;
  readonly gallery: Pick<Gallery, 'keep'>;
  readonly storage: Pick<StorageRoom, 'take'>;
  readonly waker: StackWaker;
  readonly clock: Clock;
}

/** A request in progress. */
interface Job {
  readonly caller: Caller;
  readonly engine: ImageEngine;
  readonly route: ImageRequest['route'];
  readonly order: ImageOrder;
  readonly meter: Meter;
  /** SHA-256 of the files as they were sent. */
  readonly referenceHashes: readonly string[];
}

/** Makes images: reads references, waits for a permit, paints, verifies and stores before it answers. */
export class ImageService {
  readonly #parts: ImageServiceParts;

  constructor(parts: ImageServiceParts) {
    this.#parts = parts;
  }

  /** The engine of the caller's stack; undefined if it is not available here. */
  engineOf({ stack }: Caller): ImageEngine | undefined {
    return stack.imageEngine === undefined ? undefined : this.#parts.engines.get(stack.imageEngine);
  }

  /** Whether the caller's plan has images, and its key may use their model. */
  isOpenTo(caller: Caller): boolean {
    const engine = this.engineOf(caller);
    return caller.stack.imagePlan && (engine === undefined || permitsModel(caller, engine.model));
  }

  standing({ stack }: Caller): Promise<ImageStanding> {
    return this.#parts.queue.standing(stack.id);
  }

  /** When it resolves, the image is stored; if it rejects, nothing of it remains. */
  async paint(caller: Caller, request: ImageRequest, { meter, signal }: MeteredWork): Promise<PaintedImage> {
    const startedMs = this.#parts.clock.nowMs();
    this.#requireModel(caller);
    // The size is not known before it is painted.
    using _room = await this.#parts.storage.take(caller, 0);
    const references = await this.#readReferences(request.files, { stackId: caller.stack.id, signal });
    const decodeMs = request.route === 'edits' ? this.#since(startedMs) : undefined;
    const engine = await this.#readyEngine(caller, signal);
    const { route, files: _files, seed = randomSeed(), ...fields } = request;
    const referenceHashes = await Promise.all(request.files.map(hashOf));
    const order = { ...fields, seed, references };
    const job: Job = { caller, engine, route, order, referenceHashes, meter };
    meter.servedBy(engine.model);
    await meter.reserveImages(1);
    const queued = meter.trace?.start('queue', 'internal');
    const permit = await this.#parts.queue.enter(caller, signal).finally(() => queued?.end());
    try {
      return await this.#paintInTurn(job, { permit, decodeMs, signal });
    } finally {
      // The permit is held until the image is stored.
      await permit[Symbol.asyncDispose]();
    }
  }

  async #paintInTurn(
    job: Job,
    turn: {
      readonly permit: ImagePermit;
      readonly decodeMs: number | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<PaintedImage> {
    const { permit, decodeMs, signal } = turn;
    const working = AbortSignal.any([signal, permit.lost]);
    try {
      const painting = await paintTraced(job, working);
      const verifiedMs = this.#parts.clock.nowMs();
      const picture = await this.#verify(painting, job, working);
      const encodeMs = painting.encodeMs + this.#since(verifiedMs);
      const { unknownWords } = painting;
      const { id, createdAt } = await this.#store(job, { png: picture.png, unknownWords }, working);
      // One that could not be stored is painted again by a retry, and would be charged twice.
      job.meter.add({ images: 1 });
      const timings = { queueWaitMs: permit.waitedMs, decodeMs, paintMs: painting.paintMs, encodeMs };
      return {
        id,
        createdAt,
        model: job.engine.model,
        order: job.order,
        png: picture.png,
        timings,
        unknownWords,
      };
    } catch (error) {
      signal.throwIfAborted();
      if (permit.lost.aborted) throw permitLost(error);
      throw error;
    }
  }

  async #readReferences(files: readonly Uint8Array[], work: StackWork): Promise<readonly Uint8Array[]> {
    const references: Uint8Array[] = [];
    // Sequentially, so that one request does not occupy the picture process.
    for (const [index, file] of files.entries()) {
      const result = await this.#parts.pictures.clean(file, work);
      if (result.type === 'refused') throw referenceRefused(index, result);
      references.push(result.png);
    }
    return references;
  }

  async #readyEngine(caller: Caller, signal: AbortSignal): Promise<ImageEngine> {
    const engine = this.engineOf(caller);
    if (engine === undefined) {
      throw new Fault('model-not-ready', 'The image model of this stack is not part of this installation.');
    }
    await this.#parts.waker.wake(caller.stack, engine.lifecycle, { signal });
    const { state } = engine.lifecycle;
    if (state === 'ready') return engine;
    throw new Fault('model-not-ready', `The image model is not ready: its engine is ${state}.`);
  }

  #requireModel(caller: Caller): void {
    const engine = this.engineOf(caller);
    if (engine !== undefined) requireModel(caller, engine.model);
  }

  async #verify(painting: Painting, { order, caller }: Job, signal: AbortSignal): Promise<CleanPicture> {
    const { width, height } = order;
    const work = { stackId: caller.stack.id, signal };
    const result = await this.#parts.pictures.verify(painting.bytes, { width, height }, work);
    if (result.type === 'clean') return result;
    throw new Fault('model-not-ready', 'The image model painted nothing that can be used; retry.', {
      cause: new Error(`the painting was refused: ${describe(result)}`),
    });
  }

  async #store(
    job: Job,
    { png, unknownWords }: Pick<PaintedImage, 'png' | 'unknownWords'>,
    signal: AbortSignal,
  ): Promise<StoredImage> {
    const { caller, engine, route, order, referenceHashes } = job;
    const { references, ...values } = order;
    const image = {
      ...values,
      id: newImageId(),
      accountId: caller.stack.account,
      stackId: caller.stack.id,
      keyId: caller.key.id,
      route,
      model: engine.model,
      references: references.length,
      unknownWords: unknownWords ?? null,
      referenceHashes,
      png,
    };
    try {
      return await this.#parts.gallery.keep(image, signal);
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof Fault && cause.code === 'image-not-stored') throw cause;
      throw new Fault('image-not-stored', 'The image was painted but could not be stored; retry once.', {
        cause,
      });
    }
  }

  #since(startedMs: number): number {
    return this.#parts.clock.nowMs() - startedMs;
  }
}

function permitLost(cause: unknown): Fault {
  return new Fault('model-not-ready', 'The image lost its place in the queue; retry.', { cause });
}

function referenceRefused(index: number, { why }: RefusedPicture): Fault {
  const name = `Reference image ${index + 1}`;
  if (why === 'pixels') {
    return new Fault('image-too-large', `${name} has more than ${MAX_PICTURE_MEGAPIXELS} megapixels.`, {
      param: 'image',
    });
  }
  const what = why === 'format' ? 'is not a PNG, JPEG or WEBP' : 'cannot be decoded; send the whole file';
  return new Fault('unsupported-image-format', `${name} ${what}.`, { param: 'image' });
}

function describe(result: Exclude<PictureResult, CleanPicture>): string {
  return result.why === 'size' ? 'it has another size' : `it is no picture (${result.why})`;
}

/** Paints in a span of its own. */
async function paintTraced({ engine, order, meter }: Job, signal: AbortSignal): Promise<Painting> {
  const span = meter.trace?.start(`image_generation ${engine.model}`, 'client');
  const attributes = {
    'gen_ai.operation.name': 'image_generation',
    'gen_ai.provider.name': 'stackgate',
    'gen_ai.request.model': engine.model,
  };
  try {
    const painting = await engine.paint(
      span === undefined ? order : { ...order, traceparent: span.traceparent },
      signal,
    );
    span?.end(attributes);
    return painting;
  } catch (error) {
    span?.end(attributes, toFault(error).code);
    throw error;
  }
}

/** Computed in another thread: a large file would block this one. */
async function hashOf(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))).toString('hex');
}
