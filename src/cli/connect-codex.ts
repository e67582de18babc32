import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { stackWindow } from '../admin/stack-window.ts';
import type { Config } from '../config/config.ts';
import { codexCatalogue, promptRoom } from './codex-catalogue.ts';
import { neverAborted } from './on-storage.ts';

/** The environment variable in which clients find the key. */
export const KEY_VARIABLE = 'STACKGATE_KEY';
// A silent stream gets a sign of life every five seconds, so this much silence is a lost connection.
const IDLE_TIMEOUT_MS = 60_000;
// The tokens of Codex's first prompt, and some work.
const LEAST_PROMPT_TOKENS = 16_384;

export interface CodexSettings {
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export function defaultCataloguePath(): string {
  return join(homedir(), '.codex', 'stackgate-models.json');
}

/** Writes the model catalogue, and returns the lines of Codex's configuration that use it. */
export async function connectCodex(
  config: Config,
  { url, model }: { readonly url: string; readonly model: string },
  cataloguePath: string,
): Promise<CodexSettings> {
  const { engine, contextWindow } = await stackWindow(config, config.stacks[0], neverAborted);
  const hasVision = engine.kind === 'openai' && engine.vision;
  const path = resolve(cataloguePath);
  await mkdir(dirname(path), { recursive: true });
  const catalogue = codexCatalogue({ name: model, contextWindow, hasVision });
  await writeFile(path, `${JSON.stringify(catalogue, null, 2)}\n`);
  const toml = configToml({ url, model, path });
  const text = `# in ~/.codex/config.toml, the first lines above its first table:\n${toml}${warning(contextWindow)}`;
  return { data: { config_toml: toml, catalogue: path, context_window: contextWindow }, text };
}

/** Strings of JSON are strings of TOML too. */
function configToml({
  url,
  model,
  path,
}: {
  readonly url: string;
  readonly model: string;
  readonly path: string;
}): string {
  return `model = ${JSON.stringify(model)}
model_provider = "stackgate"
model_catalog_json = ${JSON.stringify(path)}
web_search = "disabled"

[model_providers.stackgate]
name = "Stackgate"
base_url = ${JSON.stringify(`${url}/v1`)}
wire_api = "responses"
env_key = "${KEY_VARIABLE}"
stream_idle_timeout_ms = ${IDLE_TIMEOUT_MS}
`;
}

function warning(contextWindow: number): string {
  if (promptRoom(contextWindow) >= LEAST_PROMPT_TOKENS) return '';
  return `\n# The context window of ${contextWindow} tokens is too small for Codex; 65536 is comfortable.\n`;
}
