import type { Config } from './config.ts';
import { isLoopback } from './console-schema.ts';

/** Whether there is a console. By itself it is on only where passwords do not travel readable. */
export function isConsoleOn({ console: { enabled }, server }: Pick<Config, 'console' | 'server'>): boolean {
  if (enabled !== 'auto') return enabled;
  return (
    isLoopback(server.host) || server.tls !== undefined || (server.publicUrl ?? '').startsWith('https://')
  );
}
