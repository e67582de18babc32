import { readFile } from 'node:fs/promises';
import { defaultKeyPath } from '../admin/configured-stacks.ts';
import { OperatorError } from '../admin/operator-error.ts';
import type { Config } from '../config/config.ts';

/** Command-line options that select the gateway to call. */
export interface ClientOptions {
  readonly url?: string;
  readonly key?: string;
}

/** The URL and key to use: from the options, else from the configuration. */
export async function clientTarget(
  config: Config,
  options: ClientOptions,
): Promise<{ readonly url: string; readonly key: string }> {
  const key = options.key ?? configuredKey(config) ?? (await keptKey(config));
  if (key === undefined) throw new OperatorError('no key is known to call the gateway with; add --key');
  return { url: clientUrl(config, options.url), key };
}

/** The local URL of the server, unless another is given. */
export function clientUrl({ server: { host, port } }: Config, given: string | undefined): string {
  if (given !== undefined) return given.replace(/\/+$/, '');
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

function configuredKey({ stacks }: Config): string | undefined {
  const keys = stacks.flatMap((stack) => stack.keys);
  return keys.find(({ secret }) => secret !== undefined)?.secret?.reveal();
}

/** The quick-start key, if its file is still there. */
async function keptKey(config: Config): Promise<string | undefined> {
  try {
    return (await readFile(defaultKeyPath(config), 'utf8')).trim();
  } catch {
    return undefined;
  }
}
