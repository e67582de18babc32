import { readFileSync, writeFileSync } from 'node:fs';
import { hasErrorCode } from '../lib/error-code.ts';

/** Reads and writes `/proc/ID/autogroup`, for example `/autogroup-12 nice 0`. */
export interface AutogroupFiles {
  read(id: number | 'self'): string;
  write(id: number, niceness: number): void;
}

const RETRY_MS = 130;
const TRIES = 20;

const LINUX_FILES: AutogroupFiles = {
  read: (id) => readFileSync(`/proc/${id}/autogroup`, 'latin1'),
  write: (id, niceness) => writeFileSync(`/proc/${id}/autogroup`, String(niceness)),
};

/**
 * With autogroups, Linux shares cores among sessions first, and niceness counts only within a session. So a child that leads its
 * own session is lowered as a session; one in the gateway's session is not, as that would lower the gateway too. Linux allows
 * one such change per 100 ms on the whole machine, so a refused change is retried. Does nothing without permission.
 */
export function lowerSession(
  id: number,
  nicenessFrom: (own: number) => number,
  files: AutogroupFiles = LINUX_FILES,
  tries = TRIES,
): void {
  try {
    const own = parseAutogroup(files.read('self'));
    if (parseAutogroup(files.read(id)).name === own.name) return;
    files.write(id, nicenessFrom(own.niceness));
  } catch (error) {
    if (!hasErrorCode(error, 'EAGAIN') || tries <= 1) return;
    setTimeout(() => lowerSession(id, nicenessFrom, files, tries - 1), RETRY_MS).unref();
  }
}

function parseAutogroup(line: string): { readonly name: string; readonly niceness: number } {
  const [name = '', , niceness] = line.trim().split(' ');
  return { name, niceness: Number(niceness) };
}
