// Compiles every package to its dist/, then src/ to dist/, and puts the SQL files beside the code that reads them and the
// pages of the console into dist/console.
// --if-stale: only when a source is newer than the last build, so that `npm start` is quick.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'dist', '.built');
/** Built consoles, by their sources: building one takes longer than everything else together. */
const consoles = join(root, '.cache', 'console');
// In the order in which they need each other.
const packages = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).workspaces.map((name) =>
  join(root, name),
);

if (!process.argv.includes('--if-stale') || isStale()) {
  for (const folder of packages) compile(join(folder, 'tsconfig.json'), join(folder, 'dist'));
  compile(join(root, 'tsconfig.build.json'), join(root, 'dist'), complete);
}

function isStale() {
  if (!existsSync(stamp)) return true;
  const builtMs = statSync(stamp).mtimeMs;
  const parts = [root, ...packages];
  const configs = parts.flatMap((part) => ['package.json', 'tsconfig.json'].map((name) => join(part, name)));
  return (
    packages.some((part) => !existsSync(join(part, 'dist'))) ||
    [...parts.flatMap((part) => filesBelow(join(part, 'src'))), ...consoleSources(), ...configs].some(
      (path) => existsSync(path) && statSync(path).mtimeMs > builtMs,
    )
  );
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
}

/** Built in a temporary folder and moved, so that a failed build leaves no half of one. */
function compile(config, target, finish = () => {}) {
  const next = `${target}.next-${process.pid}`;
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  );
  const result = spawnSync(process.execPath, [compiler, '-p', config, '--outDir', next], {
    stdio: 'inherit',
  });
  if (result.status !== 0) {
    rmSync(next, { recursive: true, force: true });
    process.exit(result.status ?? 1);
  }
  finish(next);
  rmSync(target, { recursive: true, force: true });
  renameSync(next, target);
}

/** The steps after the compiler. */
function complete(next) {
  for (const name of readdirSync(join(root, 'src'), { recursive: true })) {
    if (name.endsWith('.sql')) cpSync(join(root, 'src', name), join(next, name));
  }
  chmodSync(join(next, 'main.js'), 0o755);
  cpSync(builtConsole(), join(next, 'console'), { recursive: true });
  writeFileSync(join(next, '.built'), '');
}

/** The files that the pages of the console are made from. */
function consoleSources() {
  return filesBelow(join(root, 'console'))
    .filter((path) => statSync(path).isFile() && !/\.test\.ts$|[\\/]testing[\\/]/.test(path))
    .sort();
}

/** The folder with the pages of the console; they are built if these sources were not built before. */
function builtConsole() {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const hash = createHash('sha256').update(JSON.stringify(devDependencies));
  for (const path of consoleSources()) hash.update(path.slice(root.length)).update(readFileSync(path));
  const built = join(consoles, hash.digest('hex').slice(0, 16));
  if (existsSync(built)) return built;
  mkdirSync(consoles, { recursive: true });
  const next = `${built}.next-${process.pid}`;
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js');
  const result = spawnSync(
    process.execPath,
    [
      vite,
      'build',
      join(root, 'console'),
      '--outDir',
      next,
      '--configLoader',
      'runner',
      '--logLevel',
      'warn',
    ],
    // Tests build what is stale with an environment of their own, in which React would be built for development.
    { stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } },
  );
  if (result.status !== 0) {
    rmSync(next, { recursive: true, force: true });
    process.exit(result.status ?? 1);
  }
  renameSync(next, built);
  for (const old of readdirSync(consoles)) {
    if (join(consoles, old) !== built && !old.includes('.next-'))
      rmSync(join(consoles, old), { recursive: true });
  }
  return built;
}
