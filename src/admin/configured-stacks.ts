import { mkdir, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { generateSecret, hashSecret } from '../access/key-secret.ts';
import type { Config, DeclaredStack } from '../config/config.ts';
import { DEFAULT_KEY_ID, defaultStack } from '../config/default-stack.ts';
import { hasErrorCode } from '../lib/error-code.ts';
import { writeFileAtomically } from '../lib/write-file-atomically.ts';
import type { KeyName } from '../store/key-records.ts';
import { readRecords } from '../store/records.ts';
import {
  applyBuiltInStack,
  applyDeclaredStacks,
  type GeneratedKey,
  type MadeSecret,
} from './declared-stacks.ts';

/** The result of applying the configuration, for the operator. */
export interface ConfiguredStacks {
  /** Keys generated because the file gave no secret. Shown once. */
  readonly generated: readonly GeneratedKey[];
  /** The quick-start key, if the built-in stack is in use. */
  readonly defaultKey: DefaultKey | undefined;
}

/** The quick-start key, and the file with its only plaintext copy. */
export interface DefaultKey {
  readonly path: string;
  /** Absent if the operator removed the copy, another replica holds the right one, or the key is revoked. */
  readonly secret: string | undefined;
  /** Whether it was just generated and is to be shown. */
  readonly isNew: boolean;
}

export interface ConfigureOptions {
  /** Whether generated secrets of declared keys are written to files, because stdout is not a terminal. */
  readonly keepsSecrets: boolean;
}

/** Applies the configuration to the database: its stacks, or the built-in one if it declares none. */
export async function applyConfiguredStacks(
  pool: pg.Pool,
  config: Config,
  { keepsSecrets }: ConfigureOptions,
): Promise<ConfiguredStacks> {
  if (!config.usesDefaultStack) {
    const makeSecret = keepsSecrets ? (name: KeyName) => keptSecret(config, name) : undefined;
    return { generated: await applyDeclaredStacks(pool, config.stacks, makeSecret), defaultKey: undefined };
  }
  const path = defaultKeyPath(config);
  const copy = await readCopy(path);
  const [made] = await applyBuiltInStack(pool, builtInStack(config), async () => {
    // The database was recreated: clients keep the key from the copy.
    if (copy !== undefined) return { secret: copy };
    // The copy is written before the key is committed: a key without a copy would be lost.
    const secret = generateSecret();
    await writeFileAtomically(path, `${secret}\n`, 0o600);
    return { secret };
  });
  const secret = made?.secret ?? ((await opensDefaultKey(pool, copy)) ? copy : undefined);
  return { generated: [], defaultKey: { path, secret, isNew: made !== undefined && copy === undefined } };
}

/** A new secret with a copy in `<data_dir>/keys`. Existing files are kept: joined names with dashes may collide. */
async function keptSecret(config: Config, { stackId, id }: KeyName): Promise<MadeSecret> {
  const secret = generateSecret();
  const folder = join(config.dataDir, 'keys');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const taken = new Set(await readdir(folder));
  let name = `${stackId}-${id}`;
  for (let number = 2; taken.has(name); number++) name = `${stackId}-${id}.${number}`;
  const path = join(folder, name);
  await writeFileAtomically(path, `${secret}\n`, 0o600);
  return { secret, path };
}

/** A copy may be older than a rotation elsewhere, or its key revoked; then it is not shown. */
async function opensDefaultKey(pool: pg.Pool, copy: string | undefined): Promise<boolean> {
  if (copy === undefined) return false;
  const { keys } = readRecords(pool);
  const owner = await keys.ownerOf(hashSecret(copy));
  if (owner?.stackId !== defaultStack.id || owner.id !== DEFAULT_KEY_ID) return false;
  return (await keys.find(owner))?.revokedAt === null;
}

/** Updates the quick-start copy when its key is rotated; does nothing for other keys. */
export function defaultKeyCopy(
  config: Config,
  name: KeyName,
): ((secret: string) => Promise<void>) | undefined {
  if (!config.usesDefaultStack || name.stackId !== defaultStack.id || name.id !== DEFAULT_KEY_ID)
    return undefined;
  return (secret) => writeFileAtomically(defaultKeyPath(config), `${secret}\n`, 0o600);
}

/** The file with the quick-start key. */
export function defaultKeyPath(config: Config): string {
  return join(config.dataDir, 'default-key');
}

/** After a restore the quick-start copy may be invalid, and would mislead its readers. */
export async function dropForeignDefaultKey(pool: pg.Pool, config: Config): Promise<void> {
  const copy = await readCopy(defaultKeyPath(config));
  if (copy === undefined) return;
  const owner = await readRecords(pool).keys.ownerOf(hashSecret(copy));
  if (owner === undefined) await unlink(defaultKeyPath(config));
}

function builtInStack(config: Config): DeclaredStack {
  return {
    ...defaultStack,
    text: Object.keys(config.engines.text).slice(0, 1),
    image: Object.keys(config.engines.image)[0] ?? '',
    paused: false,
    responses: { store: true },
    limits: { extraction: {}, pdf: {}, images: {} },
    knowledge: [],
    keys: [{ id: DEFAULT_KEY_ID, retrieval: false, readOnly: false, ownImagesOnly: false, limits: {} }],
  };
}

async function readCopy(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim() || undefined;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
