import type pg from 'pg';
import type { StorageRoom } from '../access/storage-room.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../lib/clock.ts';
import { ResponseSweeper } from '../store/response-sweeper.ts';
import { SqlConversations } from '../store/sql-conversations.ts';
import { SqlResponses } from '../store/sql-responses.ts';
import { SweepSchedule } from '../store/sweep-schedule.ts';
import type { Log } from '../telemetry/log.ts';
import type { HostedTools } from '../text/hosted-tools.ts';
import type { ConversationStore } from '../text/responses/conversation-store.ts';
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
  readonly hosted: HostedTools;
}

/** Stored responses and conversations, and their sweeper. */
export class ResponsesModule implements GatewayModule {
  readonly service: ResponsesService;
  readonly store: ResponseStore;
  readonly conversations: ConversationStore;
  readonly #sweeps: SweepSchedule;

  constructor({ config, log, pool, blobs, storage, text, hosted }: ResponsesModuleOptions) {
    const stored = { pool, blobs, retentionDays: config.retention.responsesDays };
    this.store = new SqlResponses(stored);
    this.conversations = new SqlConversations(stored);
    const sweeper = new ResponseSweeper({ pool, blobs });
    this.#sweeps = new SweepSchedule({ what: 'responses', sweeper, clock: systemClock, log });
    const { store, conversations } = this;
    this.service = new ResponsesService({ text, hosted, store, conversations, storage });
  }

  start(): void {
    this.#sweeps.start();
  }

  async stop(): Promise<void> {
    await this.#sweeps.stop();
  }
}
