import type { ConfiguredStacks, DefaultKey } from '../admin/configured-stacks.ts';

/** What an operator sees when the gateway listens. */
export function startBanner(url: string, { defaultKey }: ConfiguredStacks): string {
  const lines = [`Stackgate is listening on ${url}`];
  if (defaultKey !== undefined) lines.push(...defaultKeyLines(url, defaultKey));
  return `${lines.join('\n')}\n`;
}

function defaultKeyLines(url: string, { path, secret, isNew }: DefaultKey): readonly string[] {
  if (isNew && secret !== undefined) {
    return [
      `Your API key: ${secret}`,
      `(kept in ${path}; the file may be deleted)`,
      'Try it:',
      `  curl ${url}/v1/models -H "Authorization: Bearer ${secret}"`,
    ];
  }
  if (secret === undefined)
    return [
      'The API key was made at the first start; "stackgate keys rotate default default" makes a new one.',
    ];
  return [
    `Your API key is in ${path}. Try it:`,
    `  curl ${url}/v1/models -H "Authorization: Bearer $(cat ${shellWord(path)})"`,
  ];
}

/** A path as one word of a shell command. */
function shellWord(path: string): string {
  return /^[\w./+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
