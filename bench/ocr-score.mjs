/** Error rates of a text: fractions of wrong characters and words, of words missing anywhere, and of intact table rows. */
export function scoreText(text, { lines, rows }) {
  const said = plain(text);
  const wanted = plain(lines.join(' '));
  const saidLines = new Set(text.split('\n').map(plain));
  return {
    characters: distance([...wanted], [...said]) / [...wanted].length,
    words: distance(wanted.split(' '), said.split(' ')) / wanted.split(' ').length,
    missing: missingShare(wanted.split(' '), said.split(' ')),
    rows: rows.filter((row) => saidLines.has(plain(row))).length / rows.length,
  };
}

const plain = (text) => text.replace(/[’‘]/g, "'").replace(/\s+/g, ' ').trim();

/** Edit distance of two lists. */
function distance(wanted, said) {
  let above = Array.from({ length: said.length + 1 }, (_, index) => index);
  for (let row = 1; row <= wanted.length; row += 1) {
    const here = [row];
    for (let column = 1; column <= said.length; column += 1) {
      const replaced = above[column - 1] + (wanted[row - 1] === said[column - 1] ? 0 : 1);
      here[column] = Math.min(above[column] + 1, here[column - 1] + 1, replaced);
    }
    above = here;
  }
  return above[said.length];
}

/** Fair to a reader that finds the words but not their order. */
function missingShare(wanted, said) {
  const left = new Map();
  for (const word of said) left.set(word, (left.get(word) ?? 0) + 1);
  const missing = wanted.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
  return missing.length / wanted.length;
}
