import { readFileSync } from 'node:fs';

// The weights know each thing by its number, so a new file is added at the end, and a new drawing at the end of the last file.
const FILES = [
  'first',
  'animals-and-plants',
  'people',
  'food-and-nature',
  'places-and-vehicles',
  'home-and-clothes',
  'devices-and-toys',
  'other-things',
];

/** Everything that was drawn for this painter: name → the words for it and its shapes, in the order of its numbers. */
export function readDrawings() {
  const files = FILES.map((name) => readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8'));
  return Object.assign({}, ...files.map((text) => JSON.parse(text).drawings));
}
