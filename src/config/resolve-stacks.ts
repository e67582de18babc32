import { camelKeys } from './camel-keys.ts';
import type { BlobsConfig, DeclaredKey, DeclaredStack, EnginesConfig, LimitOverrides } from './config.ts';
import type { FileValues } from './file-schema.ts';
import { resolveSource } from './resolve-sources.ts';
import { Secret } from './secret.ts';

type FileStack = FileValues['stacks'][number];

export interface StackSurroundings {
  readonly engines: EnginesConfig;
  readonly blobs: BlobsConfig | undefined;
  readonly resolvePath: (path: string) => string;
}

/** Converts a stack of the file, with engines and paths resolved. */
export function resolveStack(stack: FileStack, surroundings: StackSurroundings): DeclaredStack {
  const { engines } = surroundings;
  const { text, image, limits, knowledge, keys, budget, ...rest } = stack;
  return {
    ...camelKeys(rest),
    text: typeof text === 'string' ? [text] : (text ?? firstName(engines.text)),
    image: image ?? firstName(engines.image).join(),
    limits: resolveLimits(limits),
    ...(budget !== undefined && { budget: camelKeys(budget) }),
    knowledge: knowledge.map((entry) => resolveSource(entry, surroundings)),
    keys: keys.map(resolveKey),
  };
}

/** Converts limits of the file. */
export function resolveLimits(limits: FileStack['limits']): LimitOverrides {
  const { extraction, pdf, images, ...rest } = limits;
  return {
    ...camelKeys(rest),
    extraction: camelKeys(extraction),
    pdf: camelKeys(pdf),
    images: camelKeys(images),
  };
}

function resolveKey(key: FileStack['keys'][number]): DeclaredKey {
  const { secret, expires_at, limits, budget, ...rest } = key;
  return {
    ...camelKeys(rest),
    limits: camelKeys(limits),
    ...(budget !== undefined && { budget: camelKeys(budget) }),
    ...(secret !== undefined && { secret: new Secret(secret) }),
    ...(expires_at !== undefined && { expiresAt: new Date(expires_at) }),
  };
}

function firstName(engines: object): string[] {
  return Object.keys(engines).slice(0, 1);
}
