import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { takeProcessLock } from '@stackgate/process-lock';
import { eventually } from './eventually.ts';

const run = promisify(execFile);
const ownCache = fileURLToPath(new URL('../.cache/', import.meta.url));
const stepBoundMs = 110_000;
// As long as all steps of another process.
const othersBoundMs = 3 * stepBoundMs;
const shownCharacters = 300;

/** Packages of Python that a test needs. */
export interface PythonProject {
  /** Its name in the cache. */
  readonly name: string;
  /** The subject of the warning that it cannot be installed. */
  readonly title: string;
  /** Path of its requirements.txt. */
  readonly requirements: string;
  readonly pipArguments?: readonly string[];
  /** A module that can be imported once everything is installed. */
  readonly module?: string;
}

/**
 * Path of a Python with these packages, installed on first use into .cache/<name>/<hash>; undefined, with the reason printed, if
 * Python or the packages are not available.
 */
export async function installPython(project: PythonProject): Promise<string | undefined> {
  const { name, title, requirements } = project;
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(ownCache, name, hash);
  try {
    mkdirSync(join(ownCache, name), { recursive: true });
    // Test files that need the same run at the same time.
    const { release } = await eventually(`the lock of ${name}`, () => lockOf(folder), othersBoundMs);
    try {
      if (!existsSync(join(folder, 'installed'))) await installInto(folder, project);
    } finally {
      release();
    }
    return pythonIn(folder);
  } catch (error) {
    const reason = String(error).slice(0, shownCharacters).replaceAll(/\s+/g, ' ');
    console.warn(`skipped: ${title} needs python3 with venv and pip, and the registry: ${reason}`);
    return undefined;
  }
}

async function lockOf(folder: string) {
  const lock = await takeProcessLock(`${folder}.lock`);
  return 'release' in lock ? lock : undefined;
}

/** Not relocatable, so built in place; a mark at the end distinguishes a complete one from a killed run. */
async function installInto(folder: string, project: PythonProject): Promise<void> {
  const { requirements, pipArguments = [], module } = project;
  const python = pythonIn(folder);
  rmSync(folder, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', folder], { timeout: stepBoundMs });
  const quietly = ['--quiet', '--disable-pip-version-check', '--no-input', '--retries=1'];
  const wanted = ['install', ...quietly, ...pipArguments, '--requirement', requirements];
  await run(python, ['-m', 'pip', ...wanted], { timeout: stepBoundMs });
  if (module !== undefined) await run(python, ['-c', `import ${module}`], { timeout: stepBoundMs });
  writeFileSync(join(folder, 'installed'), '');
}

function pythonIn(folder: string): string {
  return join(folder, 'bin', 'python');
}
