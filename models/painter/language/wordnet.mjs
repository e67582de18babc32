import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAction } from './phrase-text.mjs';

const MOST_STEPS = 4;
// Senses are in the order of how common they are; later ones are rarely meant.
const MOST_SENSES = 4;
// A near relative in the second sense is better than "some person" in the first.
const COST_OF_LAST_RESORT = 3;
// WordNet's files of animals, artefacts, body parts, food, objects, people, phenomena and plants: what can be seen.
const VISIBLE_FILES = new Set(['05', '06', '08', '13', '17', '18', '19', '20']);
const PEOPLE_FILE = '18';
const ANIMALS_FILE = '05';
// Animals, artefacts, food, places and plants.
const FILES_OF_THINGS = new Set(['05', '06', '13', '15', '20']);

/**
 * Maps nouns that the lexicon lacks to the nearest phrase it has: a synonym first, then up to four steps of
 * "is a kind of" (physician → doctor, schooner → ship). A sense that cannot be seen leads nowhere.
 */
export function relativesOf(
  folder,
  { phrases, names, people, peopleWords, words, adjectives, colours, uses },
) {
  const synsets = readSynsets(join(folder, 'data.noun'));
  const nouns = readIndex(join(folder, 'index.noun'));
  const left = new Set([...words.stop, ...words.unpaintable]);
  const map = {
    synsets,
    phrases,
    names,
    people,
    peopleWords,
    adjectives,
    tooGeneral: new Set(words.tooGeneral),
    lastResort: words.lastResort,
    animals: new Set(
      nouns.flatMap(({ lemma, senses }) => (synsets.get(senses[0])?.file === ANIMALS_FILE ? [lemma] : [])),
    ),
  };
  const related = {};
  for (const { lemma, senses } of nouns) {
    const isLacking = phrases[lemma] === undefined && !left.has(lemma) && !isAction(lemma);
    if (!isLacking || !/^[a-z]{3,}( [a-z]{3,})?$/.test(lemma)) continue;
    const target =
      nearestPhrase(lemma, senses, map) ?? (isSomebody(lemma, senses, map) ? 'person' : undefined);
    if (target === undefined || target === lemma) continue;
    const isOfDeed = people.has(phrases[target]) && uses.isParticiple(lemma);
    if (!isOfDeed && !isPainted(lemma, target, { phrases, colours })) related[lemma] = target;
  }
  return related;
}

/** Whether it is a kind of person, and nobody's own name. */
function isSomebody(lemma, [first], { synsets, phrases, people, peopleWords }) {
  const head = lemma.includes(' ') ? phrases[lemma.split(' ').at(-1)] : undefined;
  // A "big fish" is a fish.
  const isThing = head !== undefined && !people.has(head);
  return peopleWords.has(lemma) && !isThing && synsets.get(first).parents.length > 0;
}

/** Whether it is its head in another colour: a black swan is a swan that is black. */
function isPainted(lemma, target, { phrases, colours }) {
  const [first, ...rest] = lemma.split(' ');
  const head = phrases[rest.join(' ')];
  return colours.has(first) && head !== undefined && head === phrases[target];
}

/** The words that mean a person first, and no animal, thing, food or plant besides. */
export function wordsForPeople(folder) {
  const synsets = readSynsets(join(folder, 'data.noun'));
  const found = readIndex(join(folder, 'index.noun')).filter(({ senses }) => {
    const files = senses.map((sense) => synsets.get(sense)?.file);
    return files[0] === PEOPLE_FILE && !files.some((file) => FILES_OF_THINGS.has(file));
  });
  return new Set(found.map(({ lemma }) => lemma));
}

/** How often words are used, by WordNet's counts. */
export class WordUses {
  #uses = new Map();

  constructor(folder) {
    for (const line of readFileSync(join(folder, 'index.sense'), 'utf8').split('\n')) {
      const [key = '', , , count] = line.split(' ');
      const [lemma, rest = ''] = key.split('%');
      const use = this.#uses.get(lemma) ?? { asNoun: 0, asOther: 0, isVerb: false };
      use[rest.startsWith('1') ? 'asNoun' : 'asOther'] += Number(count);
      use.isVerb ||= rest.startsWith('2');
      this.#uses.set(lemma, use);
    }
  }

  /** Whether it is no adjective or verb in the first place ("long", "look"); words that WordNet lacks pass. */
  isNoun(word) {
    const { asNoun = 0, asOther = 0 } = this.#uses.get(word) ?? {};
    return asNoun >= asOther;
  }

  /** Whether it is said of what something was done to: "folded", "pulled". */
  isParticiple(word) {
    return word.endsWith('ed') && stemsOf(word.slice(0, -2)).some((stem) => this.#isVerb(stem));
  }

  #isVerb(word) {
    return this.#uses.get(word)?.isVerb ?? false;
  }

  /** Verbs in use as they are said of somebody who does it: "taking", "takes". */
  verbForms() {
    const verbs = [...this.#uses].filter(([word, { asOther }]) => asOther > 0 && this.#isVerb(word));
    return verbs.flatMap(([word]) => {
      const stem = word.replace(/e$/, '');
      const doubled = stem + stem.at(-1);
      return [`${word}s`, ...[stem, doubled].flatMap((start) => [`${start}ing`, `${start}ed`])];
    });
  }

  /** Words in use that look much like one of the given ones without being a slip of it. */
  lookalikesOf(words) {
    const known = new Set(words);
    const shapes = new Set(words.flatMap(withOneLetterLess));
    const inUse = [...this.#uses].filter(([, { asNoun, asOther }]) => asNoun + asOther > 0);
    return [...inUse.map(([word]) => word), ...this.verbForms()].flatMap((word) => {
      const isAlike = /^[a-z]+$/.test(word) && withOneLetterLess(word).some((shape) => shapes.has(shape));
      return isAlike && !known.has(word) ? [word] : [];
    });
  }
}

/** What a verb may be whose ending in "ed" was cut: "fold", "bake", "carry", "grab". */
function stemsOf(stem) {
  const isDoubled = stem.length > 2 && stem.at(-1) === stem.at(-2);
  return [stem, `${stem}e`, stem.replace(/i$/, 'y'), ...(isDoubled ? [stem.slice(0, -1)] : [])];
}

function withOneLetterLess(word) {
  return [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))];
}

/** The nouns, each with the places of its meanings, the commonest first. */
function readIndex(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line) => {
    if (line === '' || line.startsWith(' ')) return [];
    const parts = line.trim().split(' ');
    return [{ lemma: parts[0].replace(/_/g, ' '), senses: parts.slice(-Number(parts[2])) }];
  });
}

/** Place → the words of a meaning, the places of what it is a kind of, and whether it can be seen. */
function readSynsets(file) {
  const synsets = new Map();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (!/^\d{8} /.test(line)) continue;
    const parts = line.split('|')[0].trim().split(' ');
    const count = Number.parseInt(parts[3], 16);
    const lemmas = Array.from({ length: count }, (_, at) =>
      parts[4 + 2 * at].toLowerCase().replace(/_/g, ' '),
    );
    const pointers = parts.slice(5 + 2 * count);
    const parents = pointers.filter((_, at) => at % 4 === 1 && pointers[at - 1] === '@');
    synsets.set(parts[0], { lemmas, parents, file: parts[1] });
  }
  return synsets;
}

/** The cheapest way: fewest steps, commonest sense; a red fox that is a fox before one that is a herb. */
function nearestPhrase(lemma, senses, map) {
  const head = map.phrases[lemma.split(' ').at(-1)];
  const found = senses
    .slice(0, MOST_SENSES)
    .map((sense, place) => ({ ...climb(sense, map), place }))
    .filter(({ phrase }) => phrase !== undefined)
    .sort((one, other) => one.cost + one.place - (other.cost + other.place));
  const ofHead = found.find(({ phrase }) => map.phrases[phrase] === head);
  // "Big fish" is a fish that is big, not a person.
  const isDescribed = head !== undefined && map.adjectives.has(lemma.split(' ')[0]);
  const nearest = (ofHead ?? (isDescribed ? undefined : found[0]))?.phrase;
  // WordNet's "fat cat" is a rich person; a prompt means the animal.
  const isAnimalInside =
    map.animals.has(lemma.split(' ').slice(1).join(' ')) && map.people.has(map.phrases[nearest]);
  return isAnimalInside ? undefined : nearest;
}

function climb(start, { synsets, phrases, names, people, tooGeneral, lastResort }) {
  const { file } = synsets.get(start) ?? {};
  let level = VISIBLE_FILES.has(file) ? [start] : [];
  // "Fan" is a name of a thing: an enthusiast must not become one.
  const isFitting = (phrase) => file !== PEOPLE_FILE || people.has(phrases[phrase]);
  for (let step = 0; step <= MOST_STEPS; step++) {
    const meanings = level.map((place) => synsets.get(place)).filter(Boolean);
    for (const { lemmas } of meanings) {
      // Keywords are trusted as synonyms only: climbing through them drifts away from the meaning.
      const isNear = (lemma) => step === 0 || (names.has(lemma) && !tooGeneral.has(lemma));
      const phrase = lemmas.find(
        (lemma) => phrases[lemma] !== undefined && isNear(lemma) && isFitting(lemma),
      );
      if (phrase !== undefined) return { phrase, cost: step };
      const kind = step === 0 ? undefined : lemmas.find((lemma) => lastResort[lemma] !== undefined);
      if (kind !== undefined) return { phrase: lastResort[kind], cost: step + COST_OF_LAST_RESORT };
    }
    level = meanings.flatMap(({ parents }) => parents);
  }
  return {};
}
