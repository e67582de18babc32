/** Takes minutes to print: a filter over a large area is drawn pixel by pixel. */
export const slowToPrint =
  '<!doctype html><p>slow</p><svg width="5000" height="5000"><filter id="f"><feTurbulence baseFrequency="0.01" numOctaves="50"/><feMorphology radius="500"/></filter><rect width="5000" height="5000" filter="url(#f)"/></svg>';

/** Takes long to lay out, and gigabytes: a table of some hundred thousand cells in columns. */
export function slowToLayOut(): string {
  const row = `<tr>${'<td>x'.repeat(400)}`;
  return `<!doctype html><table>${row.repeat(2_500)}</table>`;
}

/** Makes the process of its page end: shapes that use shapes, a hundred million in all. */
export const crashing = `<!doctype html><svg><g id="a0"><circle r="5"/></g>${Array.from(
  { length: 8 },
  (_, level) => `<g id="a${level + 1}">${`<use href="#a${level}"/>`.repeat(10)}</g>`,
).join('')}</svg>`;
