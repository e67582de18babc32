import { execFile } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyMigratedTemplate } from '../../testing/migrated-template.ts';
import { runNpm } from '../run-npm.ts';
import { linkTree } from './link-tree.ts';
import { repositoryRoot, sourceFiles, sourceText } from './source-tree.ts';
import { startServer } from './start-server.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const allowed =
  /^(dist\/.+\.(js|sql)|dist\/\.built|dist\/console\/(index\.html|favicon\.svg|licences\.md|assets\/.+\.(css|woff2))|docs\/.+\.(md|png|svg|webp|jpg)|models\/(assistant|painter|reader)\/(\w+\.(gguf|json|onnx)|vocab\.txt|NOTICE|README\.md)|node_modules\/@stackgate\/[\w-]+\/(dist\/.+\.(js|d\.ts)|examples\/.+\.mjs|LICENSE|README\.md|package\.json)|LICENSE|README\.md|CHANGELOG\.md|package\.json)$/;
const secret = /-----BEGIN [A-Z ]*PRIVATE KEY|\bsk-[A-Za-z0-9]{40,}|\bnpm_[A-Za-z0-9]{36}\b|_authToken/;

describe('the npm package', () => {
  const folder = new TemporaryFolder();
  const installed = folder.at('node_modules', 'stackgate');
  const command = folder.at('node_modules', '.bin', 'stackgate');
  let files: readonly string[];

  beforeAll(async () => {
    const { overrides } = JSON.parse(sourceText('package.json'));
    // Without builds of llama.cpp for GPUs, which a clone omits too: 700 MB.
    writeFileSync(folder.at('package.json'), JSON.stringify({ private: true, overrides }));
    linkInstalledPackages(folder);
    const tarball = await packInto(folder.path);
    await npmOrThrow(folder.path, [
      'install',
      '--omit=dev',
      '--ignore-scripts',
      '--prefer-offline',
      folder.at(tarball),
    ]);
    files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(join(installed, name)).isFile(),
    );
  });

  afterAll(() => folder[Symbol.dispose]());

  it('holds the program, its SQL files, the documents and the licence', () => {
    const sql = sourceFiles().filter((name) => name.startsWith('src/') && name.endsWith('.sql'));
    expect(sql).not.toEqual([]);
    const expected = [
      'dist/main.js',
      'dist/console/index.html',
      'dist/console/licences.md',
      'docs/configuration.md',
      'models/painter/painter.onnx',
      'models/reader/encoder.onnx',
      'LICENSE',
      'README.md',
    ];
    expect(files).toEqual(expect.arrayContaining([...expected, ...sql.map(inDist)]));
  });

  it('holds the packages of this repository, and only those', () => {
    const { bundleDependencies } = JSON.parse(sourceText('package.json'));
    const bundled = files.filter((name) => /^node_modules\/.*\bpackage\.json$/.test(name));
    expect(bundled.sort()).toEqual(
      bundleDependencies.map((name: string) => `node_modules/${name}/package.json`),
    );
  });

  it('holds nothing else: no sources, no tests, no maps', () => {
    expect(files.filter((name) => !allowed.test(name) || name.includes('.test.'))).toEqual([]);
  });

  it('tells nothing of the machine it was made on, and no secret', () => {
    for (const name of files) {
      // Weights are read too: as Latin-1, which any bytes are.
      const text = readFileSync(join(installed, name), 'latin1');
      expect(text, name).not.toMatch(secret);
      expect(text, name).not.toContain(repositoryRoot);
      expect(text, name).not.toContain('sourceMappingURL');
    }
  });

  it('brings no tools of development along', () => {
    expect(existsSync(folder.at('node_modules', 'find-my-way'))).toBe(true);
    const { devDependencies } = JSON.parse(sourceText('package.json'));
    const brought = Object.keys(devDependencies).filter((name) =>
      existsSync(folder.at('node_modules', name)),
    );
    expect(brought).toEqual([]);
  });

  it('gives a command that knows its version, its help and the configuration', async () => {
    // The long form of "npx --no-install stackgate".
    const version = await npmOrThrow(folder.path, [
      'exec',
      '--no',
      '--offline',
      '--',
      'stackgate',
      '--version',
    ]);
    expect(version.trim()).toBe(JSON.parse(sourceText('package.json')).version);
    const stackgate = async (...words: readonly string[]) =>
      (await promisify(execFile)(command, words, { cwd: folder.path })).stdout;
    expect(await stackgate('--help')).toContain('Exit codes:');
    expect(await stackgate('config', 'check')).toContain('no problems');
  });

  it('gives a server that lists models and ends at SIGTERM', async () => {
    await copyMigratedTemplate(folder.at('data'));
    folder.endAtOnce();
    await using server = await startServer({ command: [command], cwd: folder.path });
    const key = readFileSync(folder.at('data', 'default-key'), 'utf8').trim();
    const listed = await fetch(`${server.url}/v1/models`, { headers: { 'x-api-key': key } });
    expect(listed.status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});

/** npm keeps those that the package needs in these versions, fetches others and removes the rest. */
function linkInstalledPackages(folder: TemporaryFolder): void {
  linkTree(realpathSync(join(repositoryRoot, 'node_modules')), folder.at('node_modules'));
  for (const name of ['.bin', '.package-lock.json', '@stackgate'])
    rmSync(folder.at('node_modules', name), { recursive: true, force: true });
}

async function packInto(folder: string): Promise<string> {
  const packed = await npmOrThrow(repositoryRoot, [
    'pack',
    '--ignore-scripts',
    '--json',
    `--pack-destination=${folder}`,
  ]);
  const [{ filename }] = JSON.parse(packed);
  return filename;
}

async function npmOrThrow(folder: string, npmArguments: readonly string[]): Promise<string> {
  const npm = await runNpm(folder, npmArguments);
  if (!npm.succeeded) throw new Error(npm.complaints);
  return npm.stdout;
}

function inDist(source: string): string {
  return source.replace(/^src\//, 'dist/');
}
