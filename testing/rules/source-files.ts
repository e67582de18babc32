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
  return filesBelow('src').filter(isSource);
}

/** Every file of the packages' own sources that is no test. */
export function packageSourceFiles(): readonly SourceFile[] {
  return packageFolders().flatMap((folder) => filesBelow(`${folder}/src`).filter(isSource));
}

/** The folders of the packages, from the root of the repository: `packages/process-lock`. */
export function packageFolders(): readonly string[] {
  return readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
}

/** Every file with code below a folder, tests included. */
export function filesBelow(folder: string): readonly SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.(ts|mjs)$/.test(path) && !/(^|\/)(dist|node_modules)\//.test(path))
    .map(readSourceFile);
}

/** A package.json of the repository. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

/** The fields of a package.json that the rules check. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly files?: readonly string[];
  readonly engines?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly bundleDependencies?: readonly string[];
  readonly workspaces?: readonly string[];
}

function isSource({ path }: SourceFile): boolean {
  return path.endsWith('.ts') && !path.endsWith('.test.ts');
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
