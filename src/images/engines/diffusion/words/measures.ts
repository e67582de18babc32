import { singularOf } from './word-forms.ts';

/** How a container is shown with its content: below it, around it, or without it. */
export type Holding = 'on' | 'in' | 'alone';

// "A slice of pizza" is pizza, unless the whole phrase is known.
const MEASURES: ReadonlySet<string> = new Set(
  'glass cup slice piece pile bunch can group set stack heap box bag pack bar block carton scoop pint pot cube loaf tin tube bowlful crop stick sheet drop lump chunk ball stalk ear mound'.split(
    ' ',
  ),
);
// Containers shown with their content; in a vase only the part above is visible, and a bottle hides it.
const HOLDERS: ReadonlyMap<string, Holding> = new Map([
  ['vase', 'on'],
  ['plate', 'on'],
  ['tray', 'on'],
  ['bowl', 'in'],
  ['basket', 'in'],
  ['bucket', 'in'],
  ['crate', 'in'],
  ['barrel', 'in'],
  ['sack', 'in'],
  ['tub', 'in'],
  ['jar', 'in'],
  ['bottle', 'alone'],
  ['jug', 'alone'],
  ['mug', 'alone'],
  ['flask', 'alone'],
  ['vial', 'alone'],
]);
// "A wagon full of hay", "a box filled with toys".
const FULL = /^(?:full of|filled with|loaded with|stuffed with|packed with)$/;

/** Whether "full of" or the like stands there. */
export function isFull(words: readonly string[], at: number): boolean {
  return FULL.test(words.slice(at, at + 2).join(' '));
}

/** Whether the word only says how much there is of what follows. */
export function isMeasure(words: readonly string[], at: number): boolean {
  const [word = '', next] = words.slice(at, at + 2);
  return next === 'of' && MEASURES.has(singularOf(word) ?? word);
}

/** How the container that ends before this word is shown, if its content follows. */
export function holdingBefore(words: readonly string[], at: number): Holding | undefined {
  const word = words[at - 1] ?? '';
  const holding = HOLDERS.get(word) ?? HOLDERS.get(singularOf(word) ?? '');
  // Pencils are seen above the rim of a mug, milk is not.
  const isOfMany = singularOf(words[at + 2] ?? '') !== undefined;
  if (isFull(words, at)) return holding === undefined || (holding === 'alone' && isOfMany) ? 'in' : holding;
  return words[at] === 'of' ? holding : undefined;
}
