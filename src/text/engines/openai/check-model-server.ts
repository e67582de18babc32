import { Fault } from '../../../faults/fault.ts';
import { isRecord, listOf, NotJson, recordOf } from '../../../lib/json-record.ts';
import { UpstreamRefusal } from '../../../upstream/engine-faults.ts';
import type { ModelServer, ModelServerFacts } from './model-server.ts';

export interface Check {
  readonly server: ModelServer;
  readonly model: string;
  readonly timeoutMs: number;
  /** Whether to ask for the context window as well. */
  readonly wantsContextWindow: boolean;
}

/** Checks that a server answers; throws if it does not. */
export async function checkModelServer(check: Check, signal: AbortSignal): Promise<ModelServerFacts> {
  const models = await askModels(check, signal);
  const isVllm = modelsIn(models).some(({ owned_by: owner }) => owner === 'vllm');
  if (!check.wantsContextWindow) return { contextWindow: undefined, isVllm };
  return { contextWindow: windowOfModels(models, check.model) ?? (await askProps(check, signal)), isVllm };
}

/** The list of models; `undefined` from a healthy server without one. */
async function askModels({ server, timeoutMs }: Check, signal: AbortSignal): Promise<unknown> {
  try {
    return await server.check(
      { method: 'GET', path: ({ basePath }) => `${basePath}/models`, timeoutMs },
      signal,
    );
  } catch (error) {
    if (!isNoSuchPath(error)) throw error;
  }
  try {
    await server.check({ method: 'GET', path: ({ rootPath }) => `${rootPath}/health`, timeoutMs }, signal);
  } catch (error) {
    if (!isNoSuchPath(error) && !isBodyWithoutJson(error)) throw error;
  }
  return undefined;
}

/** llama-server reports the window of a slot there. */
async function askProps({ server, timeoutMs }: Check, signal: AbortSignal): Promise<number | undefined> {
  try {
    const props = await server.check(
      { method: 'GET', path: ({ rootPath }) => `${rootPath}/props`, timeoutMs },
      signal,
    );
    return windowOfProps(props);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function modelsIn(models: unknown): readonly Readonly<Record<string, unknown>>[] {
  return isRecord(models) ? listOf(models.data).filter(isRecord) : [];
}

/** The context window of a model in the list of a server. */
export function windowOfModels(models: unknown, model: string): number | undefined {
  const entries = modelsIn(models);
  const entry = entries.find(({ id }) => id === model) ?? (entries.length === 1 ? entries[0] : undefined);
  const meta = isRecord(entry?.meta) ? entry.meta : undefined;
  return windowOf(entry?.max_model_len) ?? windowOf(meta?.n_ctx);
}

/** The context window in the properties of a llama-server. */
export function windowOfProps(props: unknown): number | undefined {
  const settings = isRecord(props) ? recordOf(props.default_generation_settings) : undefined;
  return windowOf(settings?.n_ctx);
}

function windowOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function isNoSuchPath(error: unknown): boolean {
  const cause = error instanceof Fault ? error.cause : undefined;
  return cause instanceof UpstreamRefusal && (cause.status === 404 || cause.status === 405);
}

// The health route of vLLM answers 200 with an empty body.
function isBodyWithoutJson(error: unknown): boolean {
  return error instanceof Fault && error.cause instanceof NotJson;
}
