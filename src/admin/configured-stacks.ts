import { readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { generateSecret, hashSecret } from '../access/key-secret.ts';
import type { Config, DeclaredStack } from '../config/config.ts';
import { defaultStack } from '../config/default-stack.ts';
import { Secret } from '../config/secret.ts';
import { writeFileAtomically } from '../lib/write-file-atomically.ts';
import type { KeyName } from '../store/key-records.ts';
import { readRecords } from '../store/records.ts';
import { applyDeclaredStacks, type GeneratedKey } from './declared-stacks.ts';

/** What an operator must be told after the configuration took effect. */
export interface ConfiguredStacks {
  /** Keys that were made up because the file gave no secret. Shown once. */
  readonly generated: readonly GeneratedKey[];
  /** The quick start's key, when the built-in stack is in use. */
  readonly defaultKey: DefaultKey | undefined;
}

/** The key of the quick start, and where its one plaintext copy lies. */
export interface DefaultKey {
  readonly path: string;
  /** Absent when the operator removed the copy, or another replica holds it. */
  readonly secret: string | undefined;
  /** Whether it was made just now, so that it is shown. */
  readonly isNew: boolean;
}

const DEFAULT_KEY_ID = 'default';

/** Brings the database in line with the configuration: its stacks, or the built-in one when it declares none. */
export async function applyConfiguredStacks(pool: pg.Pool, config: Config): Promise<ConfiguredStacks> {
  if (!config.usesDefaultStack) {
    return { generated: await applyDeclaredStacks(pool, config.stacks), defaultKey: undefined };
  }
  const path = defaultKeyPath(config);
  const copy = await readCopy(path);
  // The copy is written before the key is committed: a key that nobody can read would be lost.
  const [made] = await applyDeclaredStacks(pool, [builtInStack(config, copy)], async () => {
    const secret = generateSecret();
    await writeFileAtomically(path, `${secret}\n`, 0o600);
    return secret;
  });
  return { generated: [], defaultKey: { path, secret: made?.secret ?? copy, isNew: made !== undefined } };
}

/** Keeps the quick start's plaintext copy right when its key is rotated; nothing for any other key. */
export function defaultKeyCopy(
  config: Config,
  name: KeyName,
): ((secret: string) => Promise<void>) | undefined {
  if (!config.usesDefaultStack || name.stackId !== defaultStack.id || name.id !== DEFAULT_KEY_ID)
    return undefined;
  return (secret) => writeFileAtomically(defaultKeyPath(config), `${secret}\n`, 0o600);
}

/** Where the quick start's key lies. */
export function defaultKeyPath(config: Config): string {
  return join(config.dataDir, 'default-key');
}

/** After a restore the quick start's copy may open nothing any more; left there, it would replace the restored key at the next start. */
export async function dropForeignDefaultKey(pool: pg.Pool, config: Config): Promise<void> {
  const copy = await readCopy(defaultKeyPath(config));
  if (copy === undefined) return;
  const owner = await readRecords(pool).keys.ownerOf(hashSecret(copy));
  if (owner === undefined) await unlink(defaultKeyPath(config));
}

function builtInStack(config: Config, secret: string | undefined): DeclaredStack {
  return {
    ...defaultStack,
    text: Object.keys(config.engines.text).slice(0, 1),
    image: Object.keys(config.engines.image)[0] ?? '',
    paused: false,
    limits: { extraction: {}, pdf: {}, images: {} },
    knowledge: [],
    keys: [
      {
        id: DEFAULT_KEY_ID,
        retrieval: false,
        ...(secret === undefined ? {} : { secret: new Secret(secret) }),
      },
    ],
  };
}

async function readCopy(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim() || undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
