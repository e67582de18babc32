import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const BUDGET_BYTES = 250 * 1024;
/** As the gateway compresses them, and as proxies do that know no Brotli. */
const COMPRESSIONS = {
  Brotli: (bytes: Buffer) =>
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).byteLength,
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 6 }).byteLength,
} as const;

const folder = fileURLToPath(new URL('../../dist/console/', import.meta.url));
const assets = readdirSync(join(folder, 'assets'));

/** Every file that an asset names, and those that they name; pages that are loaded later are left out. */
function loadedWith(name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  if (!/\.(js|css)$/.test(name)) return seen;
  const text = readFileSync(join(folder, 'assets', name), 'utf8');
  const named = [
    ...text.matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+)["'`]|url\((?:\/console\/assets\/)?([\w.-]+)\)/g),
  ];
  for (const [, script, style] of named) {
    const next = script ?? style ?? '';
    if (assets.includes(next)) loadedWith(next, seen);
  }
  return seen;
}

it.each(Object.entries(COMPRESSIONS))(
  'loads less than 250 KiB until the overview with its chart is shown, by %s',
  (_name, compressedBytes) => {
    const index = readFileSync(join(folder, 'index.html'), 'utf8');
    const first = [...index.matchAll(/assets\/([\w.-]+)/g)].map(([, name = '']) => name);
    const later = assets.filter((name) => /^(overview|chart)-/.test(name) && name.endsWith('.js'));
    expect(later).toHaveLength(2);
    const loaded = new Set([...first, ...later].flatMap((name) => [...loadedWith(name)]));
    expect(loaded.size).toBeGreaterThan(8);
    const sizes = [...loaded].map((name) => {
      const bytes = readFileSync(join(folder, 'assets', name));
      return extname(name) === '.woff2' ? bytes.byteLength : compressedBytes(bytes);
    });
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(100 * 1024);
    expect(bytes).toBeLessThan(BUDGET_BYTES);
  },
);
