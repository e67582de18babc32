import { fileURLToPath } from 'node:url';

/**
 * The compiled file of a worker or child process next to the calling module. Tests run the TypeScript sources, which Node cannot
 * start, so from src/ this points into dist/.
 */
export function compiledEntry(callerUrl: string, name: string): string {
  const sibling = fileURLToPath(new URL(name, callerUrl));
  if (!callerUrl.endsWith('.ts')) return sibling;
  return sibling.replace(/([\\/])src([\\/])(?!.*[\\/]src[\\/])/, '$1dist$2');
}
