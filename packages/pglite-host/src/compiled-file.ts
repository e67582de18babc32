import { fileURLToPath } from 'node:url';

/** A file of this package that another thread or process starts with: tests run the TypeScript sources, which Node cannot start. */
export function compiledFile(name: string): string {
  const folder = import.meta.url.endsWith('.ts') ? '../dist/' : './';
  return fileURLToPath(new URL(`${folder}${name}`, import.meta.url));
}
