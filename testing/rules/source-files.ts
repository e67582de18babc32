import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A non-test file of src/ with its imports. */
export interface SourceFile {
  /** From the root of the repository: `src/http/route.ts`. */
  readonly path: string;
  readonly text: string;
  /** Files, from the root of the repository. */
  readonly imports: readonly string[];
  /** Packages and Node's modules. */
  readonly packages: readonly string[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\bimport\.meta\.resolve\(\s*)['"]([^'"]+)['"]/g;

/** Every non-test file of src/. */
export function sourceFiles(): readonly SourceFile[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readSourceFile(`src/${name.replaceAll('\\', '/')}`));
}

function readSourceFile(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const specifiers = [...text.matchAll(IMPORT)].flatMap(([, specifier]) => specifier ?? []);
  const isRelative = (specifier: string) => specifier.startsWith('.');
  return {
    path,
    text,
    imports: specifiers
      .filter(isRelative)
      .map((specifier) => normalize(join(dirname(path), specifier)).replaceAll('\\', '/')),
    packages: specifiers.filter((specifier) => !isRelative(specifier)),
  };
}
