import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { errorCode } from '../lib/error-code.ts';
import type { Config, EnginesConfig, ServerCertificates, ServerCredentials } from './config.ts';
import { ConfigInvalid, type ConfigProblem } from './config-problem.ts';
import { deepFreeze } from './deep-freeze.ts';
import { mapEngines } from './resolve-engines.ts';
import { Secret } from './secret.ts';

const CERTIFICATE_PARTS = ['ca', 'certificate', 'key'] as const;

/** Reads the files with keys and certificates for model servers; throws ConfigInvalid with every one that cannot be used. */
export async function withCredentialFiles(config: Config): Promise<Config> {
  const contents = new Map<string, Secret>();
  const problems: ConfigProblem[] = [];
  for (const [path, file] of filesOf(config.engines)) {
    const read = await readSecret(file);
    if (read instanceof Secret) contents.set(file, read);
    else problems.push({ source: config.file ?? 'configuration', path, message: read });
  }
  for (const [place, engine] of credentialsOf(config.engines)) {
    const message = certificateProblem(readCredentials(engine, contents).certificates);
    if (message !== undefined)
      problems.push({ source: config.file ?? 'configuration', path: `${place}.tls`, message });
  }
  if (problems.length > 0) throw new ConfigInvalid(problems);
  if (contents.size === 0) return config;
  const { text, image, embeddings } = config.engines;
  const read = <Engine extends object>(engine: Engine) => ({
    ...engine,
    ...readCredentials(engine, contents),
  });
  return deepFreeze({
    ...config,
    engines: {
      ...config.engines,
      text: mapEngines(text, read),
      image: mapEngines(image, read),
      embeddings: read(embeddings),
    },
  });
}

/** Gives running engines the keys and certificates of a configuration that was read again. */
export function renewCredentials(running: EnginesConfig, next: EnginesConfig): void {
  const renewed = new Map(credentialsOf(next));
  for (const [place, held] of credentialsOf(running)) {
    const other = renewed.get(place);
    if (other?.apiKey !== undefined) held.apiKey?.replaceBy(other.apiKey);
    for (const part of CERTIFICATE_PARTS) {
      const secret = other?.certificates?.[part];
      if (secret !== undefined) held.certificates?.[part]?.replaceBy(secret);
    }
  }
}

/** The credentials of every engine, by the engine's place in the file. */
function credentialsOf({
  text,
  image,
  embeddings,
}: EnginesConfig): readonly (readonly [string, ServerCredentials])[] {
  return [
    ...Object.entries(text).map(([name, engine]) => [`engines.text.${name}`, credentialsIn(engine)] as const),
    ...Object.entries(image).map(
      ([name, engine]) => [`engines.image.${name}`, credentialsIn(engine)] as const,
    ),
    ['engines.embeddings', credentialsIn(embeddings)],
  ];
}

/** Engines that are embedded have none. */
function credentialsIn(engine: object): ServerCredentials {
  return engine;
}

function filesOf(engines: EnginesConfig): readonly (readonly [path: string, file: string])[] {
  return credentialsOf(engines).flatMap(([place, { apiKeyFile, tls }]) => [
    ...(apiKeyFile === undefined ? [] : [[`${place}.api_key_file`, apiKeyFile] as const]),
    ...Object.entries(tls ?? {}).map(([part, file]) => [`${place}.tls.${part}`, file] as const),
  ]);
}

async function readSecret(file: string): Promise<Secret | string> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    return text === '' ? `"${file}" is empty` : new Secret(text);
  } catch (error) {
    return `"${file}" cannot be read (${errorCode(error) ?? 'error'})`;
  }
}

/** Certificates are checked when they are read: a connection that is opened later could only fail. */
function certificateProblem({ ca, certificate, key }: ServerCertificates = {}): string | undefined {
  try {
    if (ca !== undefined) new X509Certificate(ca.reveal());
  } catch {
    return '`ca` is no certificate in PEM';
  }
  try {
    if (certificate && key) createSecureContext({ cert: certificate.reveal(), key: key.reveal() });
  } catch (error) {
    return `\`certificate\` and \`key\` cannot be used together (${errorCode(error) ?? 'error'})`;
  }
  return undefined;
}

function readCredentials(engine: object, contents: ReadonlyMap<string, Secret>): ServerCredentials {
  const { apiKeyFile, tls } = credentialsIn(engine);
  const apiKey = apiKeyFile === undefined ? undefined : contents.get(apiKeyFile);
  const parts = CERTIFICATE_PARTS.flatMap((part) => {
    const file = tls?.[part];
    const content = file === undefined ? undefined : contents.get(file);
    return content === undefined ? [] : [[part, content] as const];
  });
  const certificates: ServerCertificates = Object.fromEntries(parts);
  return {
    ...(apiKey !== undefined && { apiKey }),
    ...(parts.length > 0 && { certificates }),
  };
}
