import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** The options of `Connection` that ask for another protocol; a server may ignore them. */
const UPGRADE_OPTIONS: ReadonlySet<string> = new Set(['upgrade', 'http2-settings']);

/**
 * The bytes of an upgrade request without its upgrade headers, and the bytes behind its head. Parsed again, it is a plain
 * request; Node's parser stops at an upgrade and would drop the bytes behind it.
 */
export function withoutUpgrade(request: IncomingMessage, behind: Buffer): Buffer {
  const { method, url, httpVersion, rawHeaders } = request;
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    const kept = keptValue(name.toLowerCase(), value);
    if (kept !== undefined) head += `${name}: ${kept}\r\n`;
  }
  return Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), behind]);
}

function keptValue(name: string, value: string): string | undefined {
  if (name === 'upgrade') return undefined;
  if (name !== 'connection') return value;
  const options = value.split(',').map((option) => option.trim());
  const kept = options.filter((option) => !UPGRADE_OPTIONS.has(option.toLowerCase()));
  return kept.length === 0 ? undefined : kept.join(', ');
}
