import { limitsInForce } from '../access/plan-limits.ts';
import type { Config, DeclaredStack, OpenAiConfig, TextEngineConfig } from '../config/config.ts';
import { windowOfModels, windowOfProps } from '../text/engines/openai/check-model-server.ts';
import { askServer } from './ask-server.ts';
import { OperatorError } from './operator-error.ts';

const ANSWER_MS = 5_000;

/** A stack's text engine, and its context window in tokens. */
export interface StackWindow {
  readonly engine: TextEngineConfig;
  readonly contextWindow: number;
}

/** The context window of a stack: of its engine or of its plan, the smaller one. Servers are asked where the file does not say. */
export async function stackWindow(
  config: Config,
  stack: DeclaredStack | undefined,
  signal: AbortSignal,
): Promise<StackWindow> {
  const name = stack?.text[0] ?? Object.keys(config.engines.text)[0] ?? '';
  const engine = config.engines.text[name];
  if (engine === undefined) throw new OperatorError('there is no text engine in the configuration');
  const served =
    engine.kind === 'openai' ? (engine.contextWindow ?? (await asked(engine, signal))) : engine.contextWindow;
  if (served === undefined) {
    throw new OperatorError(
      `the context window of the text engine ${name} is not known: start its server, or set its context_window`,
    );
  }
  const planned = stack && limitsInForce(stack.plan, config.plans[stack.plan], stack.limits).contextWindow;
  return { engine, contextWindow: Math.min(served, planned ?? served) };
}

async function asked(engine: OpenAiConfig, signal: AbortSignal): Promise<number | undefined> {
  const { baseUrls, model } = engine;
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  const ask = async (url: string): Promise<unknown> => {
    const { status, text } = await askServer({ url, credentials: engine, signal: bounded });
    return status === 200 ? JSON.parse(text) : undefined;
  };
  const [baseUrl = ''] = baseUrls;
  try {
    const window = windowOfModels(await ask(`${baseUrl}/models`), model);
    return window ?? windowOfProps(await ask(`${baseUrl.replace(/\/v1$/, '')}/props`));
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
