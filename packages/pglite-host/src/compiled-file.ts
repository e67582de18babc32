import { fileURLToPath } from 'node:url';

/** The compiled entry file of a thread or process. Tests run from TypeScript sources, which Node cannot start. */
export function compiledFile(name: string): string {
  const folder = import.meta.url.endsWith('.ts') ? '../dist/' : './';
  return fileURLToPath(new URL(`${folder}${name}`, import.meta.url));
}
