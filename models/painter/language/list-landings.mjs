// Shows what the painter makes of common nouns, as "noun → token names"; "–" is unknown.
// node models/painter/language/list-landings.mjs [<file of words, one a line>]
import { readFileSync } from 'node:fs';
import { Lexicon } from '../../../dist/images/engines/diffusion/words/lexicon.js';
import { PromptEncoder } from '../../../dist/images/engines/diffusion/words/prompt-tokens.js';

const [file = new URL('./common-nouns.txt', import.meta.url)] = process.argv.slice(2);
const lexicon = new Lexicon(readFileSync(new URL('../lexicon.json', import.meta.url), 'utf8'));
const encoder = new PromptEncoder(lexicon);
const words = readFileSync(file, 'utf8').split('\n').filter(Boolean);
let unknown = 0;
for (const word of words) {
  const { names } = encoder.encode(word, { isEdit: false });
  const found = names.filter((name) => name !== 'plain').join(' ');
  if (found === '') unknown++;
  console.log(`${word} → ${found === '' ? '–' : found}`);
}
console.log(`${words.length} words, ${unknown} unknown`);
