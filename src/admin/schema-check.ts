import type { OpenAiConfig } from '../config/config.ts';
import { SCHEMA_FORMS, type SchemaForm } from '../text/engines/openai/schema-forms.ts';
import { readProbe, schemaProbe } from '../text/engines/openai/schema-probe.ts';
import { askServer } from './ask-server.ts';
import type { Finding } from './finding.ts';

/** The model may have to be loaded first. */
const ANSWER_MS = 60_000;
/** Enough for a model that thinks before it answers. */
const MAXIMUM_TOKENS = 2_000;
const REFUSALS: readonly number[] = [400, 413, 422];

interface Verdict {
  readonly isGood: boolean;
  readonly message: string;
  readonly remedy?: string;
}

/** Asks every server of an engine for a short answer under a schema that no model satisfies by chance. */
export async function checkSchemas(
  check: string,
  engine: OpenAiConfig,
  signal: AbortSignal,
): Promise<Finding> {
  const verdicts = await Promise.all(engine.baseUrls.map((baseUrl) => judge(baseUrl, engine, signal)));
  const bad = verdicts.find(({ isGood }) => !isGood);
  if (bad !== undefined) {
    const { message, remedy } = bad;
    return { check, result: 'warning', message, ...(remedy === undefined ? {} : { remedy }) };
  }
  return { check, result: 'ok', message: verdicts.map(({ message }) => message).join(', ') };
}

async function judge(baseUrl: string, engine: OpenAiConfig, signal: AbortSignal): Promise<Verdict> {
  const [usual] = SCHEMA_FORMS;
  for (const form of SCHEMA_FORMS) {
    const outcome = await ask(baseUrl, { engine, form, signal });
    if (outcome === 'held') return held(baseUrl, form);
    if (outcome !== 'taken' && outcome !== 'refused') return unclear(baseUrl, outcome.problem);
    // The gateway uses another form only if this one is refused.
    if (form === usual && outcome === 'taken') return ignored(baseUrl);
  }
  return {
    isGood: false,
    message: `${baseUrl} takes schemas in no form that the gateway knows; requests with one are refused`,
    remedy: 'Use a server with structured outputs where schemas are needed.',
  };
}

function held(baseUrl: string, form: SchemaForm): Verdict {
  if (form !== 'json_object')
    return { isGood: true, message: `${baseUrl} holds answers to schemas (${form})` };
  return {
    isGood: false,
    message: `${baseUrl} is told of schemas in words only; nothing but the model's good will holds answers to them`,
    remedy: 'Validate what it answers, or use a server with structured outputs.',
  };
}

function ignored(baseUrl: string): Verdict {
  return {
    isGood: false,
    message: `${baseUrl} ignores schemas: it answered one of the doctor's with something else`,
    remedy: 'Turn structured outputs on there, or use another server where schemas are needed.',
  };
}

function unclear(baseUrl: string, problem: string): Verdict {
  return {
    isGood: false,
    message: `whether ${baseUrl} holds answers to schemas could not be found out: ${problem}`,
    remedy: 'Check its model, and that it answers a chat.',
  };
}

interface Asked {
  readonly engine: OpenAiConfig;
  readonly form: SchemaForm;
  readonly signal: AbortSignal;
}

async function ask(
  baseUrl: string,
  { engine, form, signal }: Asked,
): Promise<'held' | 'taken' | 'refused' | { readonly problem: string }> {
  try {
    const { status, text } = await askServer({
      url: `${baseUrl}/chat/completions`,
      body: schemaProbe(engine.model, form, MAXIMUM_TOKENS),
      credentials: engine,
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    if (REFUSALS.includes(status)) return 'refused';
    if (status !== 200) return { problem: `it answers a chat with ${status}` };
    const found = readProbe(JSON.parse(text));
    return found === 'cut' ? { problem: 'its answer was cut off' } : found;
  } catch {
    return { problem: 'it does not answer a chat' };
  }
}
