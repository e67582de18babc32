import { normalise } from './phrase-text.mjs';

// How sure a phrase is of its object: the whole name, the name without "face" or "button", its last word, a keyword.
export const WHOLE_NAME = 20;
const SHORT_NAME = 9;
const HEAD_NOUN = 6;
const KEYWORD_PHRASE = 5;
const KEYWORD = 3;
/** From here on a phrase is a name that other words may be led to. */
export const LEAST_SHORT_NAME = SHORT_NAME;
/** Up to here it is a mere keyword. */
export const LEAST_HEAD_NOUN = 5.2;
// Later keywords are looser, up to a point.
const MOST_KEYWORDS = 20;
const LOOSER = 0.05;

/** Phrase → the object that it stands for best; everyday objects win over faces and signs, earlier ones over later ones. */
export function scorePhrases(objects) {
  const best = new Map();
  for (const [index, object] of objects.entries()) {
    const prior = object.weight - index / 1e5;
    for (const [phrase, score] of phrasesOf(object)) {
      const current = best.get(phrase);
      if (phrase.length < 2 || (current && current.score >= score + prior)) continue;
      best.set(phrase, { index, score: score + prior });
    }
  }
  return best;
}

function phrasesOf({ name: fullName, group, words }) {
  const name = normalise(fullName);
  const head = name.replace(/^(.*) (with|of|without|showing|in|on|at) .*$/, '$1').split(' ');
  const phrases = [
    [name, WHOLE_NAME],
    [name.replace(/ (face|button|symbol)$/, ''), SHORT_NAME],
  ];
  if (head.length > 1 && group !== 'Smileys & Emotion') phrases.push([head.at(-1), HEAD_NOUN]);
  for (const [place, word] of words.entries()) {
    const score = word.includes(' ') ? KEYWORD_PHRASE : KEYWORD;
    phrases.push([word, score - Math.min(place, MOST_KEYWORDS) * LOOSER]);
  }
  return phrases;
}
