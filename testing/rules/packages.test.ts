import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  filesBelow,
  packageFolders,
  packageSourceFiles,
  readManifest,
  type SourceFile,
  sourceFiles,
} from './source-files.ts';

const gateway = readManifest('.');
const packages = packageFolders().map((folder) => ({ folder, manifest: readManifest(folder) }));
const names = packages.map(({ manifest }) => manifest.name);
/** All code that is not inside a package. */
const outside = ['src', 'testing', 'e2e', 'bench', 'scripts', 'models'].flatMap(filesBelow);

/** The name of the package that a specifier leads to: `ajv` for `ajv/dist/2020.js`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function usedPackages(files: readonly SourceFile[]): ReadonlySet<string> {
  const specifiers = files.flatMap((file) => file.packages);
  return new Set(specifiers.filter((specifier) => !specifier.startsWith('node:')).map(packageOf));
}

it('finds the packages', () => {
  expect(names).toContain('@stackgate/process-lock');
  expect(gateway.workspaces?.toSorted()).toEqual(packages.map(({ folder }) => folder).toSorted());
});

describe('code outside a package', () => {
  it('reaches it by its name only, tests also by what it has for tests', () => {
    const reachIn = /^packages\/[^/]+\//;
    const forTests = /^packages\/[^/]+\/testing\//;
    const isTest = (path: string) => !path.startsWith('src/') || path.endsWith('.test.ts');
    const wrong = outside.flatMap(({ path, imports }) =>
      imports
        .filter((target) => reachIn.test(target) && !(isTest(path) && forTests.test(target)))
        .map((target) => `${path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('imports nothing but its index', () => {
    const specifiers = outside
      .flatMap((file) => file.packages)
      .filter((name) => names.includes(packageOf(name)));
    expect(specifiers.length).toBeGreaterThan(0);
    expect(specifiers.filter((specifier) => !names.includes(specifier))).toEqual([]);
  });
});

describe.each(packages)('$folder', ({ folder, manifest }) => {
  const all = filesBelow(folder);
  const sources = packageSourceFiles().filter(({ path }) => path.startsWith(`${folder}/`));
  const peers = manifest.peerDependencies ?? {};
  const declared = { ...manifest.dependencies, ...peers };

  it('imports nothing of the gateway, nor of its neighbours but by name', () => {
    const wrong = all.flatMap(({ path, imports }) =>
      imports
        .filter((target) => !target.startsWith(`${folder}/`))
        .map((target) => `${path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('declares what it needs, and needs what it declares', () => {
    const used = usedPackages(sources);
    expect([...used].filter((name) => !(name in declared))).toEqual([]);
    const optional = manifest.peerDependenciesMeta ?? {};
    expect(Object.keys(declared).filter((name) => !used.has(name) && !optional[name]?.optional)).toEqual([]);
    const tests = { ...declared, ...manifest.devDependencies, [manifest.name]: manifest.version };
    expect([...usedPackages(all)].filter((name) => !(name in tests))).toEqual([]);
  });

  it('can be published alone: one entry, its licence, an example, what it is and what it runs on', () => {
    expect(Object.keys(manifest.exports ?? {})).toEqual(['.']);
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      files: ['dist', 'examples'],
      engines: { node: '>=20.12' },
    });
    const root = new URL(`../../${folder}/`, import.meta.url);
    const present = ['README.md', 'LICENSE', 'examples', 'src/index.ts'].filter((name) =>
      existsSync(new URL(name, root)),
    );
    expect(present).toHaveLength(4);
  });

  it('shows its example, which its tests run, in its README', () => {
    const root = new URL(`../../${folder}/`, import.meta.url);
    const read = (name: string) => readFileSync(new URL(name, root), 'utf8');
    const examples = readdirSync(new URL('examples/', root));
    expect(examples).toHaveLength(1);
    for (const name of examples) {
      expect(read('README.md')).toContain(`\n\`\`\`js\n${read(`examples/${name}`)}\`\`\`\n`);
      expect(read('src/index.test.ts')).toContain(`examples/${name}`);
    }
    expect(read('README.md')).toContain(`npm install ${manifest.name}\n`);
  });

  // A package that has dependencies of its own brings them into the gateway's tarball; peers come from the registry.
  it('is in the tarball of the gateway, and finds there what it needs', () => {
    expect(gateway.bundleDependencies).toContain(manifest.name);
    expect(gateway.dependencies?.[manifest.name]).toBe(manifest.version);
    const needed = Object.entries(peers).filter(([name]) => !manifest.peerDependenciesMeta?.[name]?.optional);
    for (const [name, range] of needed)
      expect([name, range.replace('^', '')]).toEqual([name, gateway.dependencies?.[name]]);
    expect(Object.keys(manifest.dependencies ?? {}).filter((name) => !names.includes(name))).toEqual([]);
  });
});

it('loads the schema compiler in the workers only: loading it takes 12 MB', () => {
  const loads = /^import (?!type\b)[^;]*'@stackgate\/json-schema-grammar'/m;
  const users = sourceFiles().filter(({ text }) => loads.test(text));
  expect(users.map(({ path }) => path)).toEqual([
    'src/schema/service/schema-worker.ts',
    'src/schema/service/value-validator.ts',
  ]);
});
