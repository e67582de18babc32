import type { PlacedWord, Row } from './placed-word.ts';
import { isNextCell } from './row-cells.ts';

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
const STRONG = /[\p{L}]/u;

/** Whether most letters are of a right-to-left script. */
export function isRightToLeft(words: readonly PlacedWord[]): boolean {
  let balance = 0;
  for (const { text } of words) {
    if (RIGHT_TO_LEFT.test(text)) balance += text.length;
    else if (STRONG.test(text)) balance -= text.length;
  }
  return balance > 0;
}

/** The words of a right-to-left row, in spoken order. */
export function fromRightToLeft(row: Row): readonly PlacedWord[] {
  const ordered: PlacedWord[] = [];
  let run: PlacedWord[] = [];
  const endRun = () => {
    ordered.push(...run.reverse());
    run = [];
  };
  for (const word of row.words.toReversed()) {
    const before = run.at(-1) ?? ordered.at(-1);
    if (before && isNextCell(row, before, word)) endRun();
    // Names and numbers in it still run left to right.
    if (RIGHT_TO_LEFT.test(word.text)) {
      endRun();
      ordered.push(word);
    } else {
      run.push(word);
    }
  }
  endRun();
  return ordered;
}
