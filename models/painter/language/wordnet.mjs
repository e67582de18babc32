import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAction } from './phrase-text.mjs';

const MOST_STEPS = 4;

/**
 * Maps nouns that the lexicon lacks to the nearest phrase it has: a synonym first, then up to four steps of
 * "is a kind of" (physician → doctor, schooner → ship).
 */
export function relativesOf(folder, { phrases, names, words }) {
  const synsets = readSynsets(join(folder, 'data.noun'));
  const stop = new Set(words.stop);
  const climb = {
    synsets,
    phrases,
    names,
    tooGeneral: new Set(words.tooGeneral),
    lastResort: words.lastResort,
  };
  const related = {};
  for (const { lemma, senses } of readIndex(join(folder, 'index.noun'))) {
    const isLacking = phrases[lemma] === undefined && !stop.has(lemma) && !isAction(lemma);
    if (!isLacking || !/^[a-z]{3,}( [a-z]{3,})?$/.test(lemma)) continue;
    const target = nearestPhrase(senses[0], climb);
    if (target !== undefined && target !== lemma) related[lemma] = target;
  }
  return related;
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

/** Place → the words of a meaning and the places of what it is a kind of. */
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
    synsets.set(parts[0], { lemmas, parents });
  }
  return synsets;
}

function nearestPhrase(start, { synsets, phrases, names, tooGeneral, lastResort }) {
  let level = [start];
  for (let step = 0; step <= MOST_STEPS; step++) {
    const meanings = level.map((place) => synsets.get(place)).filter(Boolean);
    for (const { lemmas } of meanings) {
      // Keywords are trusted as synonyms only: climbing through them drifts away from the meaning.
      const isNear = (lemma) => step === 0 || (names.has(lemma) && !tooGeneral.has(lemma));
      const found = lemmas.find((lemma) => phrases[lemma] !== undefined && isNear(lemma));
      if (found !== undefined) return found;
      const kind = step === 0 ? undefined : lemmas.find((lemma) => lastResort[lemma] !== undefined);
      if (kind !== undefined) return lastResort[kind];
    }
    level = meanings.flatMap(({ parents }) => parents);
  }
  return undefined;
}
