import type pg from 'pg';
import type { StorageRoom } from '../access/storage-room.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Config } from '../config/config.ts';
import { FileLinks } from '../files/file-links.ts';
import { FileService } from '../files/file-service.ts';
import { systemClock } from '../lib/clock.ts';
import { wallClock } from '../lib/wall-clock.ts';
import { FileRecords } from '../store/file-records.ts';
import { fileSweeper } from '../store/file-sweeper.ts';
import { LinkSecret } from '../store/link-secret.ts';
import { SqlFiles } from '../store/sql-files.ts';
import { SweepSchedule } from '../store/sweep-schedule.ts';
import type { Log } from '../telemetry/log.ts';
import type { GatewayModule } from './gateway-module.ts';

export interface FileModuleOptions {
  readonly config: Config;
  readonly log: Log;
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly storage: StorageRoom;
}

/** Files of clients, their links and their sweeper. */
export class FileModule implements GatewayModule {
  readonly service: FileService;
  readonly links: FileLinks;
  readonly #sweeps: SweepSchedule;

  constructor({ config, log, pool, blobs, storage }: FileModuleOptions) {
    const records = new FileRecords(pool);
    const sweeper = fileSweeper({ pool, blobs, clock: wallClock });
    this.#sweeps = new SweepSchedule({ what: 'files', sweeper, clock: systemClock, log });
    this.service = new FileService({
      store: new SqlFiles({ records, blobs }),
      storage,
      maxBytes: config.files.maxBytes,
      retentionDays: config.retention.filesDays,
      clock: wallClock,
    });
    this.links = new FileLinks({ secret: secretOf(config, pool), clock: wallClock });
  }

  start(): void {
    this.#sweeps.start();
  }

  async stop(): Promise<void> {
    await this.#sweeps.stop();
  }
}

function secretOf({ server }: Config, pool: pg.Pool): () => Promise<Uint8Array> {
  const { signingSecret } = server;
  if (signingSecret !== undefined) return async () => Buffer.from(signingSecret.reveal());
  const kept = new LinkSecret(pool);
  return () => kept.read();
}
