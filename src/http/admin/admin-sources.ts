import type pg from 'pg';
import type { Caller } from '../../access/caller.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Config } from '../../config/config.ts';
import type { PictureProcess } from '../../pictures/picture-process.ts';
import type { EngineState } from '../../supervision/lifecycle.ts';
import type { DrainGate } from '../drain-gate.ts';
import type { LimitsSources } from '../limit-list.ts';
import type { RequestRing } from '../request-ring.ts';
import type { StreamWatch } from '../stream-watch.ts';

/** The parts of the gateway that the admin API works on. */
export interface AdminSources {
  readonly pool: pg.Pool;
  readonly blobs: Pick<BlobStore, 'get'>;
  /** The configuration in force. */
  readonly config: () => Config;
  /** Called after a change of stacks or keys, so that this process takes it over at once. */
  readonly changed: () => void;
  readonly ring: RequestRing;
  readonly watch: StreamWatch;
  readonly drainGate: Pick<DrainGate, 'serving' | 'closing'>;
  readonly replica: Replica;
  readonly engines: () => readonly EngineReport[];
  readonly queues: () => readonly (readonly [name: string, waiting: number])[];
  readonly pictures: Pick<PictureProcess, 'preview'>;
  readonly limits: LimitsSources;
  /** The caller that an operator looks at a stack as. */
  readonly stackCaller: (stackId: string) => Promise<Caller | undefined>;
}

/** The process that answers. */
export interface Replica {
  readonly name: string;
  readonly version: string;
  readonly startedAt: Date;
}

/** An engine and its state. */
export interface EngineReport {
  readonly name: string;
  readonly capability: 'text' | 'image' | 'ocr' | 'fields' | 'pdf' | 'embeddings';
  readonly kind: string;
  readonly state: EngineState;
  readonly model: string | undefined;
  /** Work that waits for it, where that is known. */
  readonly waiting: number | undefined;
  /** The last failure of a request that it served. */
  readonly lastError: string | undefined;
}
