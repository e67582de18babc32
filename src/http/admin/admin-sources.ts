import type pg from 'pg';
import type { Config } from '../../config/config.ts';

/** The parts of the gateway that the admin API works on. */
export interface AdminSources {
  readonly pool: pg.Pool;
  /** The configuration in force. */
  readonly config: () => Config;
  /** Called after a change of stacks, keys or tokens, so that this process takes it over at once. */
  readonly changed: () => void;
}
