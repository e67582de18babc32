import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Creates a named pipe and returns its path. Node's own pipes to children are sockets. */
export function makePipe(folder: string): string {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}
