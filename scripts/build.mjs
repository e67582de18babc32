// Compiles src/ to dist/ and puts the SQL files beside the code that reads them.
// --if-stale: only when a source is newer than the last build, so that `npm start` is quick.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
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

if (!process.argv.includes('--if-stale') || isStale()) build();

function isStale() {
  if (!existsSync(stamp)) return true;
  const builtMs = statSync(stamp).mtimeMs;
  const sources = readdirSync(join(root, 'src'), { recursive: true }).map((name) => join(root, 'src', name));
  return [...sources, join(root, 'package.json'), join(root, 'tsconfig.json')].some(
    (path) => existsSync(path) && statSync(path).mtimeMs > builtMs,
  );
}

/** Built in a temporary folder and moved, so that a failed build leaves no half of one. */
function build() {
  const next = join(root, `dist.next-${process.pid}`);
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  );
  const result = spawnSync(
    process.execPath,
    [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', next],
    {
      stdio: 'inherit',
    },
  );
  if (result.status !== 0) {
    rmSync(next, { recursive: true, force: true });
    process.exit(result.status ?? 1);
  }
  for (const name of readdirSync(join(root, 'src'), { recursive: true })) {
    if (name.endsWith('.sql')) cpSync(join(root, 'src', name), join(next, name));
  }
  chmodSync(join(next, 'main.js'), 0o755);
  writeFileSync(join(next, '.built'), '');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  renameSync(next, join(root, 'dist'));
}
