import { join } from 'node:path';
import { pathOf } from '../catalogue/installed-model.ts';
import type { ModelStore } from '../catalogue/model-store.ts';
import type {
  Config,
  ImageEngineConfig,
  LlamaConfig,
  ServerCredentials,
  TextEngineConfig,
} from '../config/config.ts';
import { isModelPath, modelName } from '../config/model-path.ts';
import { readPainterWeights, shippedWeightsFolder } from '../images/engines/diffusion/painter-weights.ts';
import { errorCode } from '../lib/error-code.ts';
import { adapterName, adapterOf, verifiedAdapter } from '../text/engines/llama/built-in-adapter.ts';
import { probeModel } from '../text/engines/llama/probe-model.ts';
import { askServer } from './ask-server.ts';
import type { Finding } from './finding.ts';
import { checkSchemas } from './schema-check.ts';

const PROBE_MS = 3_000;
const LOAD_MS = 60_000;

export interface EngineSurroundings {
  readonly models: Pick<ModelStore, 'find'>;
  readonly signal: AbortSignal;
}

/** Asks every configured server for its health, and loads embedded models. */
export async function checkEngines(
  { engines, dataDir }: Config,
  { models, signal }: EngineSurroundings,
): Promise<readonly Finding[]> {
  const text = Object.entries(engines.text).map(([name, engine]) =>
    checkTextEngine(`text engine ${name}`, engine, { models, dataDir, signal }),
  );
  const image = Object.entries(engines.image).map(async ([name, engine]) => [
    await checkImageEngine(`image engine ${name}`, engine, signal),
  ]);
  return (await Promise.all([...text, ...image])).flat();
}

async function checkTextEngine(
  check: string,
  engine: TextEngineConfig,
  { signal, ...around }: EngineSurroundings & { readonly dataDir: string },
): Promise<readonly Finding[]> {
  if (engine.kind === 'llama') return [await checkEmbeddedModel(check, engine, { signal, ...around })];
  for (const baseUrl of engine.baseUrls) {
    const finding = await probe(check, { url: `${baseUrl}/models`, credentials: engine, signal });
    if (finding.result !== 'ok') return [finding];
  }
  return [
    { check, result: 'ok', message: `${engine.baseUrls.join(', ')} answers` },
    await checkSchemas(`schemas of ${check}`, engine, signal),
  ];
}

async function checkEmbeddedModel(
  check: string,
  engine: LlamaConfig,
  { models, dataDir, signal }: EngineSurroundings & { readonly dataDir: string },
): Promise<Finding> {
  const name = modelName(engine.model);
  const modelPath = await installedPath(engine.model, models, signal);
  if (modelPath === undefined) return missingModel(check, engine.model);
  const damage = await adapterDamage(engine);
  if (damage !== undefined)
    return { check, result: 'failure', message: damage, remedy: 'Install the gateway again.' };
  const adapter = adapterName(engine);
  const withAdapter = adapter === undefined ? '' : `, with the adapter ${adapter}`;
  try {
    const folder = join(dataDir, 'tmp', `doctor-${process.pid}`);
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(LOAD_MS)]);
    await probeModel({ config: engine, modelPath, folder }, bounded);
    return { check, result: 'ok', message: `the model ${name} is here and loads${withAdapter}` };
  } catch {
    return {
      check,
      result: 'failure',
      message: `the model ${name} is here, but cannot be loaded${withAdapter}`,
      remedy: `Is there memory for it? "stackgate models verify ${name}" checks the file.`,
    };
  }
}

/** The damage of the built-in adapter, if the engine has it and it is not whole. */
async function adapterDamage(engine: LlamaConfig): Promise<string | undefined> {
  const adapter = adapterOf(engine);
  if (adapter?.kind !== 'built-in') return undefined;
  try {
    await verifiedAdapter(adapter.folder);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function installedPath(
  model: string,
  models: EngineSurroundings['models'],
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const installed = await models.find(model, signal);
    return installed && pathOf(installed, 'weights');
  } catch {
    // Not in the catalogue, or its files cannot be read.
    return undefined;
  }
}

function missingModel(check: string, model: string): Finding {
  if (isModelPath(model)) {
    return {
      check,
      result: 'failure',
      message: `${model} is missing or is no GGUF file`,
      remedy: 'Correct its model.',
    };
  }
  return {
    check,
    result: 'warning',
    message: `the model ${model} is not on this machine; the gateway fetches it when it starts`,
    remedy: `Run: stackgate models pull ${model}`,
  };
}

async function checkImageEngine(
  check: string,
  engine: ImageEngineConfig,
  signal: AbortSignal,
): Promise<Finding> {
  switch (engine.kind) {
    case 'diffusion':
      return checkPainter(check);
    case 'openai-images':
      return probe(check, { url: `${engine.baseUrl}/models`, credentials: engine, signal });
    case 'sdapi':
      return probe(check, { url: `${engine.baseUrl}/sdapi/v1/sd-models`, credentials: engine, signal });
  }
}

/** Whether the weights are intact; they are loaded for the first picture. */
async function checkPainter(check: string): Promise<Finding> {
  try {
    await readPainterWeights(shippedWeightsFolder());
    return { check, result: 'ok', message: 'the weights of the embedded painter are whole' };
  } catch (error) {
    return {
      check,
      result: 'failure',
      message: messageOf(error),
      remedy: 'Install the gateway again.',
    };
  }
}

interface Probe {
  readonly url: string;
  readonly credentials: ServerCredentials;
  readonly signal: AbortSignal;
}

async function probe(check: string, { url, credentials, signal }: Probe): Promise<Finding> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]);
  try {
    const { status } = await askServer({ url, credentials, signal: bounded });
    if (status >= 200 && status < 300) return { check, result: 'ok', message: `${url} answers` };
    return {
      check,
      result: 'failure',
      message: `${url} answers ${status}`,
      remedy: status === 401 ? 'Check its api_key.' : 'Check its base_url.',
    };
  } catch (error) {
    return { check, result: 'failure', ...silence(url, error) };
  }
}

/** Codes of OpenSSL and of Node's check of certificates. */
const OF_TLS = /CERT|SSL|SELF_SIGNED|UNABLE_TO|EPROTO/;

function silence(url: string, error: unknown): Pick<Finding, 'message' | 'remedy'> {
  const code = errorCode(error) ?? '';
  if (OF_TLS.test(code)) {
    return {
      message: `${url} and the gateway do not trust each other (${code})`,
      remedy: 'Check its tls: `ca` has to know its certificate, and it the `certificate` that is shown.',
    };
  }
  return { message: `${url} does not answer`, remedy: 'Start the server, or correct its base_url.' };
}
