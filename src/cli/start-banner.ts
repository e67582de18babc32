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

/** What an operator sees once the model of the built-in stack answers: a line that can be pasted. */
export function chatBanner(url: string, { model, defaultKey }: ReadyChat): string {
  const key = defaultKey && keyInShell(defaultKey);
  const ready = `The model ${model} is ready.`;
  if (key === undefined) return `${ready}\n`;
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Say hello in one sentence.' }] });
  return [
    `${ready} Try it:`,
    `  curl ${url}/v1/chat/completions -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d ${shellWord(body)}`,
    '',
  ].join('\n');
}

/** What the chat line is made of. */
export interface ReadyChat {
  /** As clients call it. */
  readonly model: string;
  /** Of the built-in stack; absent where the configuration has its own. */
  readonly defaultKey: DefaultKey | undefined;
}

/** The key itself where it was just shown anyway, else a command that reads it. */
function keyInShell({ path, secret, isNew }: DefaultKey): string | undefined {
  if (secret === undefined) return undefined;
  return isNew ? secret : `$(cat ${shellWord(path)})`;
}

/** A text as one word of a shell command. */
function shellWord(text: string): string {
  return /^[\w./+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
