import type { Readable } from 'node:stream';

const maxLineChars = 4096;
const maxKeptLines = 50;

/** Calls back with each line of a stream; lines above the bound are split. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let partial = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const pieces = (partial + chunk).split('\n');
    partial = pieces.pop() ?? '';
    for (const piece of pieces) cutLine(piece).forEach(onLine);
    if (partial.length < maxLineChars) return;
    const cut = cutLine(partial);
    partial = cut.pop() ?? '';
    cut.forEach(onLine);
  });
  stream.on('end', () => {
    if (partial !== '') onLine(partial);
  });
  // The pipe of a killed process may end in an error; the exit is reported separately.
  stream.on('error', () => {});
}

function cutLine(line: string): string[] {
  if (line.length <= maxLineChars) return [line];
  const pieces: string[] = [];
  for (let at = 0; at < line.length; at += maxLineChars) pieces.push(line.slice(at, at + maxLineChars));
  return pieces;
}

/** Keeps the last few lines. */
export class LastLines {
  #lines: string[] = [];

  add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length >= 2 * maxKeptLines) this.#lines = this.#lines.slice(-maxKeptLines);
  }

  list(): readonly string[] {
    return this.#lines.slice(-maxKeptLines);
  }
}
