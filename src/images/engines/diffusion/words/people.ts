import { isAdjective } from './clause.ts';
import type { Lexicon } from './lexicon.ts';
import type { FoundPhrase } from './phrase-finder.ts';

type Sex = 'man' | 'woman';

// Words that say the sex of the person whose trade follows.
const SEX_OF: ReadonlyMap<string, Sex> = new Map([
  ...'female woman women lady ladies girl girls'.split(' ').map((word) => [word, 'woman'] as const),
  ...'male man men boy boys gentleman'.split(' ').map((word) => [word, 'man'] as const),
]);
const PRONOUNS: ReadonlyMap<string, Sex> = new Map([
  ...'her hers herself she'.split(' ').map((word) => [word, 'woman'] as const),
  ...'his him himself he'.split(' ').map((word) => [word, 'man'] as const),
]);
const SAYS_MAN =
  /(?:\b|_)(?:m[ae]n|guy|dude|boy|father|dad|husband|brother|uncle|son|king|lord|god|gentleman)$|m[ae]n$/;
const OLD: ReadonlySet<string> = new Set(['old', 'elderly', 'aged']);
// People that are not a trade with a man and a woman of it.
const OTHERS: Readonly<Record<Sex, Readonly<Record<string, string>>>> = {
  man: { person: 'man', child: 'boy', woman: 'man', 'older person': 'old man', merperson: 'merman' },
  woman: {
    person: 'woman',
    child: 'girl',
    boy: 'girl',
    man: 'woman',
    'older person': 'old woman',
    'person with crown': 'princess',
    'cowboy hat face': 'cowboy hat face',
    merperson: 'mermaid',
  },
};
const AGED: Readonly<Record<string, string>> = {
  man: 'old man',
  woman: 'old woman',
  person: 'older person',
};
// The looks of a person: "a man with a beard" is one person.
const LOOKS = /^person (?:beard|bald|.* hair|with skullcap|wearing turban)$/;
// Those of whom nothing else is known.
const ANYBODY = /^(?:man|woman|boy|girl|child|person(?: .*)?)$/;
const JOINTS: ReadonlySet<string> = new Set(['in', 'wearing', 'with']);

/** Gives people the sex and age that is said: "a female engineer", "a pilot and her dog", "an elderly lady". */
export function withSexAndAge(
  phrases: readonly FoundPhrase[],
  { words, lexicon }: { readonly words: readonly string[]; readonly lexicon: Lexicon },
): readonly FoundPhrase[] {
  return phrases.flatMap((phrase, position) => {
    const next = phrases.slice(position + 1);
    const isOnlySex = SEX_OF.has(phrase.text) && next[0] !== undefined && isRightBefore(phrase, next[0]);
    if (isOnlySex && next[0] !== undefined && isNeutral(next[0], lexicon)) return [];
    if (!lexicon.isPerson(phrase.token)) return [phrase];
    const end = next.find(({ token }) => lexicon.isPerson(token))?.at ?? words.length;
    const said = SEX_OF.get(words[phrase.at - 1] ?? '');
    const meant = words.slice(phrase.at + phrase.length, end).find((word) => PRONOUNS.has(word));
    const sex = said ?? PRONOUNS.get(meant ?? '');
    const token = isNeutral(phrase, lexicon) ? sexed(phrase.token, { sex, lexicon }) : phrase.token;
    const isOld = OLD.has(words[phrase.at - 1] ?? '');
    const aged = isOld ? lexicon.objectToken(AGED[lexicon.nameOf(token)] ?? '') : undefined;
    return [{ ...phrase, token: aged ?? token }];
  });
}

/** Keeps one of two where a person is "in" or "with" what is a whole person too: a manager in a suit, a man with a beard. */
export function withoutTwins(phrases: readonly FoundPhrase[], lexicon: Lexicon): readonly FoundPhrase[] {
  const isPerson = (phrase: FoundPhrase | undefined) =>
    phrase !== undefined && lexicon.isPerson(phrase.token);
  const jointAt = phrases.findIndex((phrase, position) => {
    const twin = thingAfter(phrases, position, lexicon);
    if (!JOINTS.has(lexicon.nameOf(phrase.token)) || !isPerson(twin) || twin === undefined) return false;
    if (isOwner(phrases, twin, lexicon)) return false;
    const name = lexicon.nameOf(phrase.token);
    const isLook = LOOKS.test(lexicon.nameOf(twin.token)) || name !== 'with';
    return (
      phrases[position - 1] !== undefined && isLook && (name === 'wearing' || isPerson(phrases[position - 1]))
    );
  });
  const person = phrases[jointAt - 1];
  const twin = thingAfter(phrases, jointAt, lexicon);
  if (person === undefined || twin === undefined) return phrases;
  const sex = sexOf(lexicon.nameOf(person.token));
  const token = sexed(twin.token, { sex, lexicon });
  const isLook = LOOKS.test(lexicon.nameOf(twin.token));
  const isKept = !isPerson(person) || (isLook && !ANYBODY.test(lexicon.nameOf(person.token)));
  const kept = isKept ? person : { ...twin, token, isPlural: person.isPlural };
  const before = [...phrases.slice(0, jointAt - 1), kept];
  return withoutTwins([...before, ...phrases.slice(phrases.indexOf(twin) + 1)], lexicon);
}

/** "A king's crown" is no king. */
function isOwner(phrases: readonly FoundPhrase[], phrase: FoundPhrase, lexicon: Lexicon): boolean {
  const next = phrases[phrases.indexOf(phrase) + 1];
  return next !== undefined && isRightBefore(phrase, next) && lexicon.kindOf(next.token) === 'object';
}

function sexOf(name: string): Sex | undefined {
  if (/^(?:woman|girl|old woman|princess)\b/.test(name)) return 'woman';
  return /^(?:man|boy|old man)\b/.test(name) ? 'man' : undefined;
}

/** The same person as a man or a woman, where there is a drawing of one. */
function sexed(
  token: number,
  { sex, lexicon }: { readonly sex: Sex | undefined; readonly lexicon: Lexicon },
): number {
  if (sex === undefined) return token;
  const name = lexicon.nameOf(token);
  const trade = name.replace(/^(?:man|woman|person) (?=\S)/, '');
  return lexicon.objectToken(OTHERS[sex][name] ?? `${sex} ${trade}`) ?? token;
}

/** Whether what follows may say the sex: "a man and her dog" is two. */
function isNeutral({ token, text }: FoundPhrase, lexicon: Lexicon): boolean {
  const name = lexicon.nameOf(token);
  if (!lexicon.isPerson(token) || SEX_OF.has(text) || name === 'woman') return false;
  return name !== 'man' || !SAYS_MAN.test(text);
}

function thingAfter(phrases: readonly FoundPhrase[], at: number, lexicon: Lexicon): FoundPhrase | undefined {
  return phrases.slice(at + 1).find((phrase) => !isAdjective(phrase, lexicon));
}

function isRightBefore(one: FoundPhrase, other: FoundPhrase): boolean {
  return one.at + one.length === other.at;
}
