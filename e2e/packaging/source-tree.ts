import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Every file that a clone would have once the present state is committed. */
export function sourceFiles(): readonly string[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', list, { cwd: repositoryRoot, encoding: 'utf8' }).split('\0');
  return names.filter((name) => name !== '' && existsSync(join(repositoryRoot, name)));
}

/** Copies those files to a folder. */
export function copySourceFiles(folder: string): void {
  for (const name of sourceFiles()) cpSync(join(repositoryRoot, name), join(folder, name));
}

export function sourceText(name: string): string {
  return readFileSync(join(repositoryRoot, name), 'utf8');
}
