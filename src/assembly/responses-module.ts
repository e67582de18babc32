import type pg from 'pg';
import type { CallerDirectory } from '../access/caller-directory.ts';
import type { Metering } from '../access/request-meter.ts';
import type { StorageRoom } from '../access/storage-room.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../lib/clock.ts';
import { ResponseSweeper } from '../store/response-sweeper.ts';
import { SqlConversations } from '../store/sql-conversations.ts';
import { SqlResponseQueue } from '../store/sql-response-queue.ts';
import { SqlResponses } from '../store/sql-responses.ts';
import { SweepSchedule } from '../store/sweep-schedule.ts';
import type { Log } from '../telemetry/log.ts';
import type { HostedTools } from '../text/hosted-tools.ts';
import { BackgroundResponses } from '../text/responses/background-responses.ts';
import type { ConversationStore } from '../text/responses/conversation-store.ts';
import { ResponseReplay } from '../text/responses/response-replay.ts';
import type { ResponseStore } from '../text/responses/response-store.ts';
import { ResponsesService } from '../text/responses/responses-service.ts';
import type { TextService } from '../text/text-service.ts';
import type { GatewayModule } from './gateway-module.ts';

export interface ResponsesModuleOptions {
  readonly config: Config;
  readonly log: Log;
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly storage: StorageRoom;
  readonly text: TextService;
  readonly keys: Pick<CallerDirectory, 'findKey'>;
  readonly metering: Metering;
  readonly hosted: HostedTools;
}

/** Stored responses and conversations with their sweeper, and responses made in the background. */
export class ResponsesModule implements GatewayModule {
  readonly service: ResponsesService;
  readonly store: ResponseStore;
  readonly conversations: ConversationStore;
  readonly background: BackgroundResponses;
  readonly replay: ResponseReplay;
  readonly #sweeps: SweepSchedule;

  constructor(options: ResponsesModuleOptions) {
    const { config, log, pool, blobs, storage, text, hosted, keys, metering } = options;
    const stored = { pool, blobs, retentionDays: config.retention.responsesDays };
    this.store = new SqlResponses(stored);
    this.conversations = new SqlConversations(stored);
    const sweeper = new ResponseSweeper({ pool, blobs });
    this.#sweeps = new SweepSchedule({ what: 'responses', sweeper, clock: systemClock, log });
    const { store, conversations } = this;
    const queue = new SqlResponseQueue(stored);
    this.service = new ResponsesService({ text, hosted, store, conversations, storage });
    const making = { responses: this.service, text, hosted, keys, metering };
    this.background = new BackgroundResponses({ queue, store, log, ...making });
    this.replay = new ResponseReplay({ store, queue, clock: systemClock });
  }

  start(): void {
    this.#sweeps.start();
    this.background.start();
  }

  async stop(signal: AbortSignal): Promise<void> {
    await this.background.stop(signal);
    await this.#sweeps.stop();
  }
}
