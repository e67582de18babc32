import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';

const npmBoundMs = 110_000;
const quietly = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error', '--fetch-retries=1'];

/** Runs npm in a folder and returns what it complained of; failing is a complaint too. */
export async function runNpm(folder: string, npmArguments: readonly string[]): Promise<string> {
  const [program, ...before] = npmCommand();
  const all = [...before, ...npmArguments, ...quietly, `--prefix=${folder}`];
  return await new Promise((resolve) => {
    execFile(program, all, { cwd: folder, timeout: npmBoundMs }, (error, _stdout, stderr) => {
      resolve(`${stderr}${error === null ? '' : error.message}`.trim());
    });
  });
}

/** The npm that runs the tests, else the one on the PATH; other package managers set npm_execpath too. */
function npmCommand(): readonly [string, ...string[]] {
  const running = process.env.npm_execpath;
  const isNpm = running?.endsWith('npm-cli.js') === true && existsSync(running);
  return isNpm ? [process.execPath, running] : ['npm'];
}
