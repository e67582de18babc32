import { mkdir } from 'node:fs/promises';
import type pg from 'pg';
import { openBackupPlace } from '../admin/backup-place.ts';
import { backupReaders } from '../admin/backup-readers.ts';
import { ScheduledBackups } from '../admin/scheduled-backups.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../lib/clock.ts';
import { packageVersion } from '../lib/package-version.ts';
import { wallClock } from '../lib/wall-clock.ts';
import { BackupLease } from '../store/backup-lease.ts';
import type { Log } from '../telemetry/log.ts';
import type { GatewayModule } from './gateway-module.ts';

export interface BackupModuleOptions {
  readonly config: Config;
  readonly log: Log;
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
}

/** Scheduled backups, if the configuration asks for them. */
export class BackupModule implements GatewayModule {
  readonly #scheduled: ScheduledBackups | undefined;

  constructor({ config, log, pool, blobs }: BackupModuleOptions) {
    const { backups } = config;
    if (backups?.schedule === undefined) return;
    const { to, schedule, keep } = backups;
    this.#scheduled = new ScheduledBackups({
      schedule,
      keep,
      openPlace: async () => {
        if (!to.startsWith('s3://')) await mkdir(to, { recursive: true, mode: 0o700 });
        return await openBackupPlace(to, config);
      },
      openSource: async (signal) => ({
        pool,
        blobs,
        version: packageVersion(),
        signal,
        readers: await backupReaders(backups),
      }),
      lease: new BackupLease(pool),
      clock: systemClock,
      wallClock,
      log,
    });
  }

  start(): void {
    this.#scheduled?.start();
  }

  async stop(): Promise<void> {
    await this.#scheduled?.stop();
  }
}
