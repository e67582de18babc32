import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));
const cache = fileURLToPath(new URL('../../.cache/python-clients/', import.meta.url));
const stepBoundMs = 110_000;
const shownCharacters = 300;

/**
 * Path of a Python with the packages of requirements.txt, installed on first use into .cache/python-clients/<hash>; undefined,
 * with the reason printed, if Python or the packages are not available.
 */
export async function installPythonClients(): Promise<string | undefined> {
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(cache, hash);
  const python = join(folder, 'bin', 'python');
  const done = join(folder, 'installed');
  if (existsSync(done)) return python;
  try {
    mkdirSync(cache, { recursive: true });
    // Not relocatable, so built in place; a mark at the end distinguishes a complete one from a killed run.
    rmSync(folder, { recursive: true, force: true });
    await run('python3', ['-m', 'venv', folder], { timeout: stepBoundMs });
    const quietly = ['--quiet', '--disable-pip-version-check', '--no-input', '--retries=1'];
    const wanted = ['install', ...quietly, '--requirement', requirements];
    await run(python, ['-m', 'pip', ...wanted], { timeout: stepBoundMs });
    writeFileSync(done, '');
    return python;
  } catch (error) {
    const reason = String(error).slice(0, shownCharacters).replaceAll(/\s+/g, ' ');
    console.warn(`skipped: the Python clients need python3 with venv and pip, and the registry: ${reason}`);
    return undefined;
  }
}
