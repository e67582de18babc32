import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasErrorCode } from '../../../../lib/error-code.ts';
import { type Adapter, verifiedAdapter } from '../built-in-adapter.ts';
import { mergeAdapter } from './merge-adapter.ts';
import { requireGguf } from './require-gguf.ts';

/** Changes when merging gives other bytes. */
const MERGE_VERSION = 1;
const MERGED = /^merged-[0-9a-f]{16}\.gguf(\.[0-9a-f-]+\.tmp)?$/;
/** An unfinished file of another process may still be written to. */
const ABANDONED_MS = 3_600_000;
/** Where nothing can be written, the adapter is applied while answers are written, which takes longer. */
const UNWRITABLE = ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT'] as const;

/** The files to load. */
export interface AdaptedWeights {
  readonly modelPath: string;
  /** An adapter for every context; absent if there is none or it is part of the model. */
  readonly lora?: string;
}

/** The weights with their adapter. The built-in one is merged into a copy beside the weights, which is made once. */
export async function adaptedWeights(
  modelPath: string,
  adapter: Adapter | undefined,
): Promise<AdaptedWeights> {
  if (adapter === undefined) return { modelPath };
  if (adapter.kind === 'file') {
    await requireGguf(adapter.path);
    return { modelPath, lora: adapter.path };
  }
  const { path, sha256 } = await verifiedAdapter(adapter.folder);
  try {
    return { modelPath: await mergedModel(modelPath, { path, sha256 }) };
  } catch (error) {
    if (!hasErrorCode(error, ...UNWRITABLE)) throw error;
    return { modelPath, lora: path };
  }
}

async function mergedModel(
  modelPath: string,
  adapter: { readonly path: string; readonly sha256: string },
): Promise<string> {
  const { size, mtimeMs } = await stat(modelPath);
  const facts = JSON.stringify([MERGE_VERSION, size, mtimeMs, adapter.sha256]);
  const key = createHash('sha256').update(facts).digest('hex').slice(0, 16);
  const targetPath = join(dirname(modelPath), `merged-${key}.gguf`);
  if (await isThere(targetPath)) return targetPath;
  await removeOthers(targetPath);
  await mergeAdapter({ modelPath, adapterPath: adapter.path, targetPath });
  return targetPath;
}

/** Removes what was merged from other files. A process that still uses it keeps its bytes. */
async function removeOthers(targetPath: string): Promise<void> {
  const folder = dirname(targetPath);
  for (const name of (await readdir(folder)).filter((each) => MERGED.test(each))) {
    const path = join(folder, name);
    // Another process has just finished it.
    if (path === targetPath) continue;
    const isUnfinished = name.endsWith('.tmp');
    if (!isUnfinished || (await isAbandoned(path))) await rm(path, { force: true });
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => undefined);
  return facts !== undefined && Date.now() - facts.mtimeMs > ABANDONED_MS;
}

async function isThere(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
}
