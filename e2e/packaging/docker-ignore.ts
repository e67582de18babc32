/** Evaluates a .dockerignore: whether a path is excluded. The last matching line decides. */
export function dockerIgnore(text: string): (path: string) => boolean {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  const rules = lines.map((line) => ({
    isKept: line.startsWith('!'),
    fits: pattern(line.replace(/^!/, '')),
  }));
  return (path) => rules.findLast(({ fits }) => fits.test(path))?.isKept === false;
}

/** A line matches a path and everything below it. */
function pattern(line: string): RegExp {
  const expression = line
    .trim()
    .replaceAll(/[.+^$()[\]{}|\\]/g, '\\$&')
    .replaceAll('**/', '(ANY/)?')
    .replaceAll('*', '[^/]*')
    .replaceAll('ANY', '.*');
  return new RegExp(`^${expression}(/.*)?$`);
}
