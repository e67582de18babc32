import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../src/config/process-environment.ts';
import { makeDataFolder } from '../data-folder.ts';

const script = fileURLToPath(new URL('fake-tool.mjs', import.meta.url));

/** The behaviour of a fake pip or npm. */
export interface FakeTools {
  /** Executables to create, such as `python3`. */
  readonly names: readonly string[];
  readonly mode?: 'copy' | 'fail' | 'without-pip' | 'nothing' | 'hang';
  /** Archives by file name; the one that starts with the package's name is used. */
  readonly archives?: Readonly<Record<string, Buffer>>;
}

/** An environment whose PATH has only the fakes, and the command lines they received. */
export function fakeTools({ names, mode = 'copy', archives = {} }: FakeTools): {
  readonly environment: Environment;
  readonly calls: () => readonly (readonly string[])[];
} {
  const folder = makeDataFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of names) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const paths = Object.entries(archives).map(([name, bytes]) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  });
  const log = join(folder, 'calls');
  const environment = { PATH: bin, FAKE_MODE: mode, FAKE_ARCHIVES: paths.join(':'), FAKE_LOG: log };
  const calls = () =>
    (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []).map((line) => JSON.parse(line));
  return { environment, calls };
}
