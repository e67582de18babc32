/** Tells, from the text of a .dockerignore, whether a path is kept out of an image: the last line that fits decides. */
export function dockerIgnore(text: string): (path: string) => boolean {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  const rules = lines.map((line) => ({
    isKept: line.startsWith('!'),
    fits: pattern(line.replace(/^!/, '')),
  }));
  return (path) => rules.findLast(({ fits }) => fits.test(path))?.isKept === false;
}

/** A line fits a path and everything below it. */
function pattern(line: string): RegExp {
  const expression = line
    .trim()
    .replaceAll(/[.+^$()[\]{}|\\]/g, '\\$&')
    .replaceAll('**/', '(ANY/)?')
    .replaceAll('*', '[^/]*')
    .replaceAll('ANY', '.*');
  return new RegExp(`^${expression}(/.*)?$`);
}
