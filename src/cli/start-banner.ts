import type { ConfiguredStacks, DefaultKey } from '../admin/configured-stacks.ts';

interface Showing {
  /** Whether to print a new secret; otherwise only its file is named. */
  readonly showsSecrets: boolean;
}

interface StartShowing extends Showing {
  /** Of the first operator, while there are no people who can log in to the console. */
  readonly consoleLink?: string | undefined;
}

/** Printed when the gateway listens. */
export function startBanner(url: string, { defaultKey }: ConfiguredStacks, showing: StartShowing): string {
  const { consoleLink } = showing;
  const lines = [`Stackgate is listening on ${url}`];
  if (defaultKey !== undefined) lines.push(...defaultKeyLines(url, shownKey(defaultKey, showing)));
  if (consoleLink !== undefined) lines.push(`Set up the console, within 30 minutes: ${consoleLink}`);
  lines.push(`All endpoints: ${url}/docs`);
  return `${lines.join('\n')}\n`;
}

/** Printed when the embedded model is ready. */
export function modelBanner(
  url: string,
  { defaultKey }: ConfiguredStacks,
  { model, ...showing }: Showing & { readonly model: string },
): string {
  const key = defaultKey === undefined ? '$STACKGATE_KEY' : keyWord(shownKey(defaultKey, showing));
  const body = JSON.stringify({
    model,
    messages: [{ role: 'user', content: 'What is the capital of France?' }],
  });
  return [
    `The model ${model} is ready. Ask it:`,
    `  curl ${url}/v1/chat/completions -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d ${shellWord(body)}`,
    '',
  ].join('\n');
}

function shownKey(key: DefaultKey, { showsSecrets }: Showing): DefaultKey {
  return { ...key, isNew: key.isNew && showsSecrets };
}

/** The key for a shell command: itself if it was just shown, else a command that reads its file. */
function keyWord({ path, secret, isNew }: DefaultKey): string {
  if (secret === undefined) return '$STACKGATE_KEY';
  return isNew ? secret : `$(cat ${shellWord(path)})`;
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

/** Quotes a text for the shell. */
function shellWord(text: string): string {
  return /^[\w./+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
