import { PGlite } from '@electric-sql/pglite';

const SETTINGS = [
  'fsync=on',
  'wal_sync_method=fsync',
  'shared_buffers=16MB',
  'work_mem=4MB',
  'maintenance_work_mem=16MB',
  'temp_buffers=1MB',
  'wal_buffers=1MB',
  'min_wal_size=32MB',
  'max_wal_size=64MB',
];

/** The command line of the embedded PostgreSQL: with fsync (`-F` would disable it) and low memory use. */
export function postgresArguments(): string[] {
  const defaults = PGlite.defaultStartParams.filter((argument) => argument !== '-F');
  return [...defaults, ...SETTINGS.flatMap((setting) => ['-c', setting])];
}
