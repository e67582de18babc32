import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageSourceFiles, sourceFiles } from './source-files.ts';

/** The folders of src/, in order: each may import only from those before it. */
const FOLDERS = [
  'lib',
  'faults',
  'telemetry',
  'supervision',
  'config',
  'families',
  'access',
  'usage',
  'idempotency',
  'schema',
  'upstream',
  'catalogue',
  'pictures',
  'blobs',
  'files',
  'reading',
  'text',
  'knowledge',
  'pdf',
  'documents',
  'images',
  'mcp',
  'people',
  'store',
  'admin',
  'http',
  'fast-path',
  'cli',
  'assembly',
  'gateway.ts',
  'main.ts',
];
const SIBLINGS = ['pdf', 'documents', 'images'];

const files = sourceFiles();
const folderOf = (path: string) => path.split('/')[1] ?? '';

describe('the imports of src/', () => {
  it('are found', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.find(({ path }) => path === 'src/gateway.ts')?.imports).toContain('src/http/drain-gate.ts');
  });

  it('lead to folders that have a place in the order', () => {
    const unknown = files.map(({ path }) => path).filter((path) => !FOLDERS.includes(folderOf(path)));
    expect(unknown).toEqual([]);
  });

  it('go up the order only', () => {
    const wrong = files.flatMap(({ path, imports }) =>
      imports
        .filter((target) => target.startsWith('src/') && folderOf(target) !== folderOf(path))
        .filter((target) => FOLDERS.indexOf(folderOf(target)) > FOLDERS.indexOf(folderOf(path)))
        .map((target) => `${path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('do not lead from one capability to its siblings', () => {
    const wrong = files
      .filter(({ path }) => SIBLINGS.includes(folderOf(path)))
      .flatMap(({ path, imports }) =>
        imports
          .filter((target) => SIBLINGS.includes(folderOf(target)) && folderOf(target) !== folderOf(path))
          .map((target) => `${path} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it('stay inside src/', () => {
    const outside = files.flatMap(({ path, imports }) =>
      imports.filter((target) => !target.startsWith('src/')).map((target) => `${path} imports ${target}`),
    );
    expect(outside).toEqual([]);
  });

  it('name the router in src/http only', () => {
    const users = files.filter(({ packages }) => packages.includes('find-my-way'));
    expect(users.length).toBeGreaterThan(0);
    expect(users.map(({ path }) => folderOf(path)).filter((folder) => folder !== 'http')).toEqual([]);
  });

  it('make no cycle of folders', () => {
    const graph = new Map<string, string[]>();
    // What a package offers stands above all of it; nothing inside imports that.
    const inside = packageSourceFiles().filter(({ path }) => !path.endsWith('/src/index.ts'));
    for (const { path, imports } of [...files, ...inside]) {
      const folder = dirname(path);
      const others = imports.map((target) => dirname(target)).filter((target) => target !== folder);
      graph.set(folder, [...(graph.get(folder) ?? []), ...others]);
    }
    expect(findCycle(graph)).toBeUndefined();
  });
});

describe('the search for cycles', () => {
  it('finds one', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['d', ['b']],
    ]);
    expect(findCycle(graph)).toBe('b → d → b');
    expect(findCycle(new Map([['a', ['b', 'c']]]))).toBeUndefined();
  });
});

function findCycle(graph: ReadonlyMap<string, readonly string[]>): string | undefined {
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): string | undefined => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node].join(' → ');
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...trail, node]);
      if (cycle !== undefined) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
