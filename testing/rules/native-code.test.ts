import { describe, expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

const files = new Map(sourceFiles().map((file) => [file.path, file]));

/** Every file loaded from this entry, dynamic imports included. */
function loadedFrom(entry: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const visit = (path: string) => {
    const file = files.get(path);
    if (file === undefined || loaded.has(path)) return;
    loaded.add(path);
    file.imports.forEach(visit);
  };
  visit(entry);
  return loaded;
}

describe('decoding and encoding of pictures', () => {
  const packagesOf = (entry: string) =>
    [...loadedFrom(entry)].flatMap((path) => files.get(path)?.packages ?? []);

  it('never runs in the process that serves', () => {
    expect(loadedFrom('src/main.ts').has('src/pictures/picture-process.ts')).toBe(true);
    expect(packagesOf('src/main.ts')).not.toContain('sharp');
  });

  it('runs in a child of its own', () => {
    expect(packagesOf('src/pictures/picture-child.ts')).toContain('sharp');
  });
});

describe('ONNX Runtime, which reports to its maker unless its process was started with ORT_DISABLE_TELEMETRY', () => {
  it('is loaded by forked children only: they are', () => {
    const imported = new Set([...files.values()].flatMap(({ imports }) => imports));
    const entries = [...files.keys()].filter((path) => !imported.has(path));
    const loading = entries.filter((entry) =>
      [...loadedFrom(entry)].some((path) => files.get(path)?.packages.includes('onnxruntime-node')),
    );
    expect(loading).not.toEqual([]);
    expect(loading.filter((entry) => !entry.endsWith('-child.ts'))).toEqual([]);
  });
});
