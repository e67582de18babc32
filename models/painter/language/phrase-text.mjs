/** Lower case, words of letters and digits only, one space between them: as prompts are read. */
export function normalise(text) {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f’'“”"]/g, '')
    .replace(/[^a-z0-9&]+/g, ' ')
    .trim();
}

/** Whether a word is an activity: "a dog running" is not a dog and a runner. */
export function isAction(word) {
  return /^\S+ing$/.test(word) && !THINGS_IN_ING.has(word);
}

const THINGS_IN_ING = new Set([
  'ring',
  'king',
  'wing',
  'pudding',
  'wedding',
  'building',
  'painting',
  'string',
]);
