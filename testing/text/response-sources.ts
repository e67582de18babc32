import { Writable } from 'node:stream';
import type { CallerDirectory } from '../../src/access/caller-directory.ts';
import type { Metering } from '../../src/access/request-meter.ts';
import type { StorageRoom } from '../../src/access/storage-room.ts';
import type { ResponseSources } from '../../src/http/routes/all-routes.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { HostedTools } from '../../src/text/hosted-tools.ts';
import { BackgroundResponses } from '../../src/text/responses/background-responses.ts';
import type { ResponseQueue } from '../../src/text/responses/response-queue.ts';
import { ResponseReplay } from '../../src/text/responses/response-replay.ts';
import { ResponsesService } from '../../src/text/responses/responses-service.ts';
import type { TextService } from '../../src/text/text-service.ts';
import { FakeUsageRecorder } from '../fake-usage-recorder.ts';
import { memoryLimits } from '../limits/memory-limits.ts';
import { storageRoom } from '../storage-room.ts';
import { MemoryResponseQueue } from './memory-response-queue.ts';
import { MemoryResponses } from './memory-responses.ts';

export interface StoredResponseParts extends Pick<ResponseSources, 'store' | 'conversations'> {
  readonly queue: ResponseQueue;
}

interface ResponseSourceOptions {
  readonly stored?: StoredResponseParts | undefined;
  readonly storage?: StorageRoom | undefined;
  readonly keys?: Pick<CallerDirectory, 'findKey'> | undefined;
  readonly metering?: Metering | undefined;
  readonly hosted?: HostedTools | undefined;
  readonly clock?: Clock | undefined;
}

/** Responses and conversations in memory. */
export function memoryStored(): StoredResponseParts & { store: MemoryResponses; queue: MemoryResponseQueue } {
  const store = new MemoryResponses();
  return { store, conversations: store.conversations, queue: new MemoryResponseQueue(store) };
}

/** The sources of the routes of responses; by default everything is in memory. */
export function responseSources(text: TextService, options: ResponseSourceOptions = {}): ResponseSources {
  const { store, conversations, queue } = options.stored ?? memoryStored();
  const { storage = storageRoom(), clock = systemClock, hosted = new HostedTools(text, []) } = options;
  const service = new ResponsesService({ text, hosted, store, conversations, storage });
  const background = new BackgroundResponses({
    queue,
    store,
    responses: service,
    text,
    hosted,
    keys: options.keys ?? { findKey: async () => undefined },
    metering: options.metering ?? { budget: memoryLimits().budget, usage: new FakeUsageRecorder() },
    log: createLog('silent', new Writable()),
    clock,
  });
  return { service, store, conversations, background, replay: new ResponseReplay({ store, queue, clock }) };
}
