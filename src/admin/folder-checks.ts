import type { Config } from '../config/config.ts';
import { type DeclaredFolder, declaredFolders, openFolder } from '../knowledge/folders/declared-folder.ts';
import { errorCode } from '../lib/error-code.ts';
import type { Finding } from './finding.ts';

const LIST_MS = 30_000;

/** Checks that this machine can read the folders and buckets of the stacks' knowledge. */
export async function checkFolders({ stacks }: Pick<Config, 'stacks'>): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const folder of await declaredFolders(stacks)) findings.push(await checkFolder(folder));
  return findings;
}

async function checkFolder(declared: DeclaredFolder): Promise<Finding> {
  const { stackId, source } = declared;
  const check = `knowledge of ${stackId}: ${source.source}`;
  try {
    const folder = await openFolder(declared);
    const { files, unread, isCut } = await folder.list(AbortSignal.timeout(LIST_MS));
    if (isCut) return { check, result: 'warning', message: 'it has too many files', remedy: FEWER };
    if (unread.size === 0) return { check, result: 'ok', message: `${files.length} file(s)` };
    const message = `${files.length} file(s), and ${unread.size} that cannot be read, such as ${[...unread.keys()][0]}`;
    return {
      check,
      result: 'warning',
      message,
      remedy: 'Give the user that runs the gateway the right to read them.',
    };
  } catch (error) {
    const reason = errorCode(error) ?? (error instanceof Error ? error.message : String(error));
    return {
      check,
      result: 'failure',
      message: `it cannot be read: ${reason}`,
      remedy: 'Correct stacks[].knowledge, or give the user that runs the gateway the right to read it.',
    };
  }
}

const FEWER = 'Divide it into folders of at most 10,000 files, for several stacks.';
