import { readdirSync, readFileSync } from 'node:fs';
import { readDrawings } from '../drawings/all-drawings.mjs';
import { assetOf } from '../drawings/asset-of.mjs';
import { normalise } from './phrase-text.mjs';

const readJson = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const { symbols, flags, people, characters } = readJson('./chosen-objects.json');
const drawings = readDrawings();
/** Pictures that the painter must not learn from. */
const excluded = new Set(
  readJson('./exclusions.json').exclusions.flatMap(({ emojis }) => Object.values(emojis)),
);
const EVERYDAY = new Set(['Animals & Nature', 'Food & Drink', 'Travel & Places', 'Activities', 'Objects']);
// How often training shows an object: everyday things more than faces, faces more than gestures and signs.
const WEIGHTS = { 'Smileys & Emotion': 0.35, 'People & Body': 0.7 };
// Shown as often as two emoji: nothing else shares their look.
const WEIGHT_OF_OWN = 1.5;
const WEIGHT_OF_GESTURE = 0.2;
const GESTURE = /hand|finger|thumb|fist|palm|gesture|salute|horns|backhand|index|clapping|shrug|facepalm/;

// People come as a person, a man and a woman; of most kinds the person is enough.
const TRADES =
  'health|student|teacher|judge|farmer|cook|mechanic|factory|office|scientist|technologist|singer|artist|pilot|astronaut|firefighter|police|detective|construction|superhero|mage|dancing|in tuxedo|with veil|office';
const GENDERED = new RegExp(`^(man|woman|men|women) (?!${TRADES})\\S+`);

// Near duplicates, things too small or too similar to tell apart, and what should not be painted by accident.
const LEFT_OUT = new RegExp(
  [
    '^(family .|kiss .|couple with heart .|deaf',
    'person (frowning|pouting|gesturing|tipping|bowing|with white cane)',
    '.* facing right',
    '(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(-thirty| o’clock)$|twelve-thirty',
    'women? feeding|men? feeding|person feeding|breast-feeding|pregnant (man|person)|middle finger',
    'globe showing (Europe|Asia)|speaker (low|medium)|muted speaker|bell with',
    '(closed|open) mailbox with lowered|mobile phone with|incoming|outbox|inbox|card (index|file)',
    'low battery|videocassette|pager|ledger|love hotel|bust|no one|cigarette|black nib|.*with yen$|Japanese',
    'new moon$|woman beard|mx claus)',
  ].join('|'),
  'i',
);

// Parts of a body, signs of the hand and groups are in the group of people too.
const NO_PERSON =
  /\b(hands?|fingers?|thumbs?|fist|palms?|gesture|salute|horns|backhand|index|shrugging|facepalming|selfie|biceps|mechanical|leg|foot|ear|nose|brain|heart|lungs|tooth|bone|eyes?|tongue|mouth|lip|polish|handshake|head|footprints|hugging|wrestling|racing)\b/;
// People among the faces and our own drawings.
const OTHER_PEOPLE = new Set(people);
// Trades and characters of our own drawings. Only their own words lead to them; otherwise an addict would become a champion.
const CHARACTERS = new Set(characters);

/** Whether the object is a whole person, or a being like one. */
export function isPerson(object) {
  return CHARACTERS.has(object.name) || isGeneralPerson(object);
}

/** Whether it is a person or being that other words for people may be led to. */
export function isGeneralPerson({ name, group }) {
  return OTHER_PEOPLE.has(name) || (group === 'People & Body' && !NO_PERSON.test(name));
}

/** The objects that the painter knows, in the order of their tokens, with the words that people use for them. */
export function chooseObjects(packages) {
  const emojis = packages.readJson('unicode-emoji-json', 'data-by-emoji.json');
  const keywords = packages.readJson('emojilib', 'dist/emoji-en-US.json');
  const entries = packages.readJson('emojibase-data', 'en/data.json');
  const entryOf = new Map(entries.map((entry) => [withoutVariant(entry.hexcode.toLowerCase()), entry]));
  const assets = readdirSync(packages.pathOf('lobehub-fluent-emoji-3d', 'assets'));
  const pictures = new Set(assets.map((file) => file.replace('.webp', '')));
  const emojiObjects = Object.entries(emojis).flatMap(([emoji, { name, group }]) => {
    const code = [...emoji].map((character) => character.codePointAt(0).toString(16)).join('-');
    const asset = [code, withoutVariant(code)].find((key) => pictures.has(key));
    if (asset === undefined || excluded.has(asset) || !isChosen(name, group)) return [];
    const entry = entryOf.get(withoutVariant(code));
    const words = [entry?.label, ...(entry?.tags ?? []), ...(keywords[emoji] ?? [])].filter(Boolean);
    return [{ asset, name, group, weight: weightOf(name, group), words: words.map(normalise) }];
  });
  return [...emojiObjects, ...ownObjects()];
}

/** Objects that have no emoji, drawn for this painter. */
function ownObjects() {
  return Object.keys(drawings).map((name) => ({
    asset: assetOf(name),
    name,
    group: 'Own drawings',
    weight: WEIGHT_OF_OWN,
    words: [],
  }));
}

function isChosen(name, group) {
  if (LEFT_OUT.test(name) || GENDERED.test(name)) return false;
  if (group === 'Symbols') return symbols.includes(name);
  return group !== 'Flags' || flags.includes(name);
}

function weightOf(name, group) {
  if (group === 'People & Body' && GESTURE.test(name)) return WEIGHT_OF_GESTURE;
  return EVERYDAY.has(group) ? 1 : (WEIGHTS[group] ?? 0.2);
}

function withoutVariant(code) {
  return code.replace(/-fe0f/g, '');
}
