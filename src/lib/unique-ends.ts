/** The shortest end of each path, in whole segments, that no other one has. */
export function uniqueEnds(paths: readonly string[], separator: string): ReadonlyMap<string, string> {
  const distinct = [...new Set(paths)];
  const endOf = (path: string, length: number) => path.split(separator).slice(-length).join('/');
  return new Map(
    distinct.map((path) => {
      const segments = path.split(separator).length;
      for (let length = 1; ; length++) {
        const end = endOf(path, length);
        const isOwn = distinct.every((other) => other === path || endOf(other, length) !== end);
        if (isOwn || length >= segments) return [path, end];
      }
    }),
  );
}
