import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';

// The package is 1.4 GB to unpack.
const npmBoundMs = 600_000;
const maxOutputBytes = 16 * 1024 * 1024;
const quietly = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error', '--fetch-retries=1'];

export interface NpmResult {
  readonly succeeded: boolean;
  readonly stdout: string;
  /** Its error output; not empty if it failed. */
  readonly complaints: string;
}

/** Runs npm in a folder; never rejects. */
export async function runNpm(folder: string, npmArguments: readonly string[]): Promise<NpmResult> {
  const [program, ...before] = npmCommand();
  const all = [...before, `--prefix=${folder}`, ...quietly, ...npmArguments];
  const options = { cwd: folder, timeout: npmBoundMs, maxBuffer: maxOutputBytes };
  return await new Promise((resolve) => {
    execFile(program, all, options, (error, stdout, stderr) => {
      const complaints = `${stderr}${error === null ? '' : error.message}`.trim();
      resolve({ succeeded: error === null, stdout, complaints });
    });
  });
}

/** The npm that runs the tests, else the one on the PATH; other package managers set npm_execpath too. */
export function npmCommand(): readonly [string, ...string[]] {
  const running = process.env.npm_execpath;
  const isNpm = running?.endsWith('npm-cli.js') === true && existsSync(running);
  return isNpm ? [process.execPath, running] : ['npm'];
}
