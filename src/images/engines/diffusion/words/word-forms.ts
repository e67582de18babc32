const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    mice: 'mouse',
    geese: 'goose',
    children: 'child',
    men: 'man',
    women: 'woman',
    feet: 'foot',
    teeth: 'tooth',
    wolves: 'wolf',
    leaves: 'leaf',
    knives: 'knife',
    oxen: 'ox',
    policemen: 'policeman',
    firemen: 'fireman',
    snowmen: 'snowman',
    cookies: 'cookie',
    brownies: 'brownie',
    pies: 'pie',
    ties: 'tie',
    zombies: 'zombie',
    genies: 'genie',
    hoodies: 'hoodie',
    magpies: 'magpie',
    collies: 'collie',
  }),
);

/** The words of a prompt in small letters, Latin ones without accents; a comma stands for every separator, and owners keep their ’s. */
export function wordsOf(prompt: string): readonly string[] {
  return (
    prompt
      .normalize('NFKD')
      .toLowerCase()
      .replace(/(?<=[a-z0-9])\p{M}+/gu, '')
      .replace(/(?<=[a-z0-9])['’]s(?![\p{L}\p{M}\p{N}])|['’“”"]/gu, (mark) =>
        mark.endsWith('s') ? '’s' : '',
      )
      .replace(/[,;.:!?()]+/g, ' , ')
      .replace(/[^\p{L}\p{M}\p{N}&,’]+/gu, ' ')
      .split(' ')
      // Emoji leave marks behind.
      .filter((word) => /[^\p{M}]/u.test(word))
      .map((word) => word.normalize('NFC'))
  );
}

/** The phrase as names are written ("womans hat") and, of an owner, without its ending. */
export function spellingsOf(phrase: string): readonly string[] {
  return phrase.includes('’') ? [phrase.replaceAll('’', ''), phrase.replaceAll('’s', '')] : [phrase];
}

/** The phrase with its last word in the singular, if that looks like a plural. */
export function singularOf(phrase: string): string | undefined {
  const words = phrase.split(' ');
  const last = words.at(-1) ?? '';
  const one = singularWord(last);
  return one === undefined ? undefined : [...words.slice(0, -1), one].join(' ');
}

function singularWord(word: string): string | undefined {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(ch|sh|x|ss|o)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : undefined;
}

/** Whether the words differ by one insertion, deletion, substitution or swap; the first letter must match. */
export function isOneSlipApart(one: string, other: string): boolean {
  if (one[0] !== other[0] || Math.abs(one.length - other.length) > 1) return false;
  const shorter = Math.min(one.length, other.length);
  let head = 0;
  while (head < shorter && one[head] === other[head]) head++;
  let tail = 0;
  while (tail < shorter - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  const left = one.length - head - tail;
  const right = other.length - head - tail;
  if (left <= 1 && right <= 1) return true;
  const areSwapped = one[head] === other[head + 1] && one[head + 1] === other[head];
  return left === 2 && right === 2 && areSwapped;
}
