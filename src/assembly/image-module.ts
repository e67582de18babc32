import type pg from 'pg';
import { StackWaker } from '../access/stack-waker.ts';
import type { StorageRoom } from '../access/storage-room.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Config, ImageEngineConfig } from '../config/config.ts';
import { DiffusionEngine } from '../images/engines/diffusion/diffusion-engine.ts';
import { OpenAiImagesEngine } from '../images/engines/openai-images/openai-images-engine.ts';
import { SdapiEngine } from '../images/engines/sdapi/sdapi-engine.ts';
import type { Gallery } from '../images/gallery.ts';
import type { ImageEngine } from '../images/image-engine.ts';
import { ImageService } from '../images/image-service.ts';
import { systemClock } from '../lib/clock.ts';
import { wallClock } from '../lib/wall-clock.ts';
import { PictureProcess } from '../pictures/picture-process.ts';
import { ImageRecords } from '../store/image-records.ts';
import { ImageSweeper } from '../store/image-sweeper.ts';
import { SqlGallery } from '../store/sql-gallery.ts';
import { SqlImageQueue } from '../store/sql-image-queue.ts';
import { SweepSchedule } from '../store/sweep-schedule.ts';
import type { Log } from '../telemetry/log.ts';
import type { GatewayModule, NamedState, QueueDepth } from './gateway-module.ts';

export interface ImageModuleOptions {
  readonly config: Config;
  readonly log: Log;
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly storage: StorageRoom;
}

type ClosableEngine = ImageEngine & { close(signal: AbortSignal): Promise<void> };

/** Generation and editing: engines, queue, gallery and its sweeper. */
export class ImageModule implements GatewayModule {
  readonly service: ImageService;
  readonly gallery: Gallery;
  readonly #engines: ReadonlyMap<string, ClosableEngine>;
  readonly pictures = new PictureProcess();
  readonly #queue: SqlImageQueue;
  readonly #sweeps: SweepSchedule;

  constructor({ config, log, pool, blobs, storage }: ImageModuleOptions) {
    const engines = Object.entries(config.engines.image);
    this.#engines = new Map(engines.map(([name, engine]) => [name, openEngine(engine, log)]));
    this.#queue = new SqlImageQueue({ pool });
    const records = new ImageRecords(pool);
    const sweeper = new ImageSweeper({ pool, blobs, clock: wallClock });
    this.#sweeps = new SweepSchedule({ what: 'images', sweeper, clock: systemClock, log });
    this.gallery = new SqlGallery({ records, blobs, retentionDays: config.retention.imagesDays });
    this.service = new ImageService({
      engines: this.#engines,
      pictures: this.pictures,
      queue: this.#queue,
      gallery: this.gallery,
      storage,
      waker: new StackWaker(),
      clock: systemClock,
    });
  }

  states(): readonly NamedState[] {
    return [...this.#engines].map(([name, engine]) => [`image:${name}`, engine.lifecycle.state]);
  }

  queueDepths(): readonly QueueDepth[] {
    return [['images', this.#queue.slotsHeld]];
  }

  start(): void {
    this.#sweeps.start();
  }

  async stop(signal: AbortSignal): Promise<void> {
    await this.#sweeps.stop();
    await this.#queue.close();
    await Promise.all([...this.#engines.values()].map((engine) => engine.close(signal)));
    await this.pictures.close(signal);
  }
}

function openEngine(config: ImageEngineConfig, log: Log): ClosableEngine {
  switch (config.kind) {
    case 'diffusion':
      return new DiffusionEngine({ config, log });
    case 'openai-images':
      return new OpenAiImagesEngine({ config, log });
    case 'sdapi':
      return new SdapiEngine({ config, log });
  }
}
