import { camelKeys } from './camel-keys.ts';
import type {
  EmbeddingsEngineConfig,
  EnginesConfig,
  ImageEngineConfig,
  NamedEngines,
  ServerCredentials,
  TextEngineConfig,
} from './config.ts';
import type { FileValues } from './file-schema.ts';
import { isModelPath } from './model-path.ts';
import { Secret } from './secret.ts';

const DEFAULT_MODEL = 'smollm2-135m-instruct';

type FileEngines = FileValues['engines'];

/** Converts engines from file values to `EnginesConfig`. */
export function resolveEngines(engines: FileEngines, resolvePath: (path: string) => string): EnginesConfig {
  const { executable, ...pdf } = camelKeys(engines.pdf);
  return {
    text: mapEngines(engines.text, (engine) => resolveTextEngine(engine, resolvePath)),
    image: mapEngines(engines.image, (engine) => resolveImageEngine(engine, resolvePath)),
    ocr: camelKeys(engines.ocr),
    pdf: executable === null ? pdf : { ...pdf, executable: resolvePath(executable) },
    embeddings: resolveEmbeddings(engines.embeddings, resolvePath),
    search: camelKeys(engines.search),
  };
}

/** Maps each engine. The result has no prototype, so that a name such as "constructor" finds nothing. */
export function mapEngines<From, To>(
  engines: Readonly<Record<string, From>>,
  change: (engine: From) => To,
): NamedEngines<To> {
  const changed: Record<string, To> = Object.create(null);
  for (const [name, engine] of Object.entries(engines)) changed[name] = change(engine);
  return changed;
}

function resolveTextEngine(
  engine: FileEngines['text'][string],
  resolvePath: (path: string) => string,
): TextEngineConfig {
  if (engine.kind === 'llama') {
    const { model = DEFAULT_MODEL } = engine;
    return {
      ...camelKeys(engine),
      model: isModelPath(model) ? resolvePath(model) : model,
      adapter: isAdapterPath(engine.adapter) ? resolvePath(engine.adapter) : engine.adapter,
      isModelNamed: engine.model !== undefined,
    };
  }
  const { base_url, base_urls, api_key, api_key_file, tls, ...rest } = engine;
  const urls = base_urls ?? (base_url === undefined ? [] : [base_url]);
  return {
    ...camelKeys(rest),
    ...credentials({ api_key, api_key_file, tls }, resolvePath),
    baseUrls: urls.map(withoutEndSlash),
  };
}

function isAdapterPath(adapter: string): boolean {
  return adapter !== 'built-in' && adapter !== 'none';
}

function resolveImageEngine(
  engine: FileEngines['image'][string],
  resolvePath: (path: string) => string,
): ImageEngineConfig {
  switch (engine.kind) {
    case 'diffusion':
      return camelKeys(engine);
    case 'sdapi': {
      const { base_url, tls, ...rest } = engine;
      return {
        ...camelKeys(rest),
        ...credentials({ tls }, resolvePath),
        baseUrl: withoutEndSlash(base_url),
      };
    }
    case 'openai-images': {
      const { base_url, api_key, api_key_file, tls, ...rest } = engine;
      return {
        ...camelKeys(rest),
        ...credentials({ api_key, api_key_file, tls }, resolvePath),
        baseUrl: withoutEndSlash(base_url),
      };
    }
  }
}

function resolveEmbeddings(
  engine: FileEngines['embeddings'],
  resolvePath: (path: string) => string,
): EmbeddingsEngineConfig {
  if (engine.kind === 'embedded') return camelKeys(engine);
  const { base_url, api_key, api_key_file, tls, ...rest } = engine;
  return {
    ...camelKeys(rest),
    ...credentials({ api_key, api_key_file, tls }, resolvePath),
    baseUrl: withoutEndSlash(base_url),
  };
}

interface FileCredentials {
  readonly api_key?: string | undefined;
  readonly api_key_file?: string | undefined;
  readonly tls?: Readonly<Partial<Record<'ca' | 'certificate' | 'key', string | undefined>>> | undefined;
}

function credentials(
  { api_key, api_key_file, tls }: FileCredentials,
  resolvePath: (path: string) => string,
): ServerCredentials {
  return {
    ...(api_key !== undefined && { apiKey: new Secret(api_key) }),
    ...(api_key_file !== undefined && { apiKeyFile: resolvePath(api_key_file) }),
    ...(tls !== undefined && { tls: mapEngines(camelKeys(tls), resolvePath) }),
  };
}

function withoutEndSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
