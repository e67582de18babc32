import { readdirSync, readFileSync } from 'node:fs';

/** Child processes of this one whose command line contains the word. */
export function childProcesses(word: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => parentOf(pid) === process.pid && commandOf(pid).includes(word))
    .map(Number);
}

function parentOf(pid: string): number {
  return Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]);
}

function commandOf(pid: string): string {
  return read(`/proc/${pid}/cmdline`);
}

/** A process may exit meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
