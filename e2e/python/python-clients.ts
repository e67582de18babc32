import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { clientKey, reader } from '../clients/client-gateway.ts';
import { installPython } from '../install-python.ts';

const run = promisify(execFile);
const clientBoundMs = 60_000;

/** Path of a Python with the vendors' SDKs; undefined if it cannot be installed. */
export async function installPythonClients(): Promise<string | undefined> {
  return await installPython({
    name: 'python-clients',
    title: 'a client in Python',
    requirements: fileURLToPath(new URL('requirements.txt', import.meta.url)),
  });
}

export interface PythonRun {
  readonly python: string;
  /** The name of a script of this folder. */
  readonly script: string;
  /** The members of its task, beside the key. */
  readonly task: Readonly<Record<string, string>>;
}

/** Runs a script in its own process and returns its report. */
export async function runPythonClient({ python, script, task }: PythonRun): Promise<unknown> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  // No bytecode next to the sources, and no keys, addresses and proxies from the environment.
  const options = { env: { PYTHONDONTWRITEBYTECODE: '1' }, timeout: clientBoundMs };
  const { stdout } = await run(
    python,
    [path, JSON.stringify({ key: clientKey, ...reader, ...task })],
    options,
  );
  return JSON.parse(stdout);
}
