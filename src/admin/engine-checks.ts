import type { Config, ImageEngineConfig, TextEngineConfig } from '../config/config.ts';
import type { Secret } from '../config/secret.ts';
import type { Finding } from './finding.ts';

const PROBE_MS = 3_000;

/** Asks every configured server whether it is there; embedded engines are told of. */
export function checkEngines({ engines }: Config, signal: AbortSignal): Promise<readonly Finding[]> {
  const text = Object.entries(engines.text).map(([name, engine]) =>
    checkTextEngine(`text engine ${name}`, engine, signal),
  );
  const image = Object.entries(engines.image).map(([name, engine]) =>
    checkImageEngine(`image engine ${name}`, engine, signal),
  );
  return Promise.all([...text, ...image]);
}

async function checkTextEngine(
  check: string,
  engine: TextEngineConfig,
  signal: AbortSignal,
): Promise<Finding> {
  if (engine.kind === 'llama') return notInThisVersion(check, engine.kind);
  for (const baseUrl of engine.baseUrls) {
    const finding = await probe(check, { url: `${baseUrl}/models`, apiKey: engine.apiKey, signal });
    if (finding.result !== 'ok') return finding;
  }
  return { check, result: 'ok', message: `${engine.baseUrls.join(', ')} answers` };
}

async function checkImageEngine(
  check: string,
  engine: ImageEngineConfig,
  signal: AbortSignal,
): Promise<Finding> {
  switch (engine.kind) {
    case 'diffusion':
      return notInThisVersion(check, engine.kind);
    case 'openai-images':
      return probe(check, { url: `${engine.baseUrl}/models`, apiKey: engine.apiKey, signal });
    case 'sdapi':
      return probe(check, { url: `${engine.baseUrl}/sdapi/v1/sd-models`, apiKey: undefined, signal });
  }
}

function notInThisVersion(check: string, kind: string): Finding {
  return {
    check,
    result: 'warning',
    message: `the embedded engine "${kind}" is not part of this version; its routes answer 503`,
  };
}

interface Probe {
  readonly url: string;
  readonly apiKey: Secret | undefined;
  readonly signal: AbortSignal;
}

async function probe(check: string, { url, apiKey, signal }: Probe): Promise<Finding> {
  const headers: Record<string, string> =
    apiKey === undefined ? {} : { authorization: `Bearer ${apiKey.reveal()}` };
  try {
    const answer = await fetch(url, {
      headers,
      signal: AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]),
    });
    await answer.body?.cancel();
    if (answer.ok) return { check, result: 'ok', message: `${url} answers` };
    return {
      check,
      result: 'failure',
      message: `${url} answers ${answer.status}`,
      remedy: answer.status === 401 ? 'Check its api_key.' : 'Check its base_url.',
    };
  } catch {
    return {
      check,
      result: 'failure',
      message: `${url} does not answer`,
      remedy: 'Start the server, or correct its base_url.',
    };
  }
}
