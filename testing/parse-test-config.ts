import type { Config } from '../src/config/config.ts';
import { parseConfig } from '../src/config/load-config.ts';

/** The configuration of a file with this text. */
export function parseTestConfig(text: string, environment: Readonly<Record<string, string>> = {}): Config {
  const file = { name: 'stackgate.yaml', path: '/etc/stackgate.yaml', text };
  return parseConfig({ file, problems: [] }, { environment, workingDirectory: '/' });
}
