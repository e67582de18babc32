import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { dockerIgnore } from './docker-ignore.ts';
import type { Instruction, Stage } from './dockerfile.ts';
import { linkTree } from './link-tree.ts';
import { repositoryRoot, sourceFiles, sourceText } from './source-tree.ts';

/** A stage and the folder used as its root; earlier stages by name. */
export interface Rehearsal {
  readonly stage: Stage;
  readonly folder: string;
  readonly earlier: Readonly<Record<string, string>>;
}

/**
 * Does in a folder what a stage does in an image: copies and builds. Packages are linked instead of installed; commands that
 * need root are skipped.
 */
export function rehearseStage({ stage, folder, earlier }: Rehearsal): void {
  let workdir = '/';
  for (const instruction of stage.instructions) {
    if (instruction.keyword === 'WORKDIR') workdir = posix.resolve(workdir, instruction.rest);
    mkdirSync(join(folder, workdir), { recursive: true });
    if (instruction.keyword === 'COPY') copy({ instruction, folder, workdir, earlier });
    if (instruction.keyword === 'RUN') runNpmCommand(instruction.rest, join(folder, workdir));
  }
}

/** The files of the repository that a source of COPY matches. */
export function contextFiles(source: string): readonly string[] {
  const isIgnored = dockerIgnore(sourceText('.dockerignore'));
  return sourceFiles().filter(
    (name) => (name === source || name.startsWith(`${source}/`)) && !isIgnored(name),
  );
}

interface Copying {
  readonly instruction: Instruction;
  readonly folder: string;
  readonly workdir: string;
  readonly earlier: Readonly<Record<string, string>>;
}

function copy({ instruction, folder, workdir, earlier }: Copying): void {
  const words = instruction.rest.split(/\s+/);
  const target = words.at(-1) ?? '.';
  const to = join(folder, posix.resolve(workdir, target));
  for (const source of words.slice(0, -1)) {
    const stageName = instruction.flags.from;
    if (stageName === undefined) copyFromContext(source, to, target.endsWith('/'));
    else linkTree(join(earlier[stageName] ?? missingStage(stageName), source), to);
  }
}

function copyFromContext(source: string, to: string, intoFolder: boolean): void {
  const isFile = statSync(join(repositoryRoot, source)).isFile();
  const fileTarget = intoFolder ? join(to, basename(source)) : to;
  for (const name of contextFiles(source)) {
    cpSync(join(repositoryRoot, name), isFile ? fileTarget : join(to, name.slice(source.length + 1)));
  }
}

function missingStage(name: string): never {
  throw new Error(`there is no stage "${name}" before this one`);
}

function runNpmCommand(command: string, cwd: string): void {
  if (command.startsWith('npm ci')) {
    linkTree(realpathSync(join(repositoryRoot, 'node_modules')), join(cwd, 'node_modules'));
  } else if (command.startsWith('npm run')) {
    execFileSync('sh', ['-c', command], { cwd, stdio: 'pipe' });
  }
}
