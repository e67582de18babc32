/** Takes minutes to print: a filter over a large area is rendered pixel by pixel. */
export const slowToPrint =
  '<!doctype html><p>slow</p><svg width="5000" height="5000"><filter id="f"><feTurbulence baseFrequency="0.01" numOctaves="50"/><feMorphology radius="500"/></filter><rect width="5000" height="5000" filter="url(#f)"/></svg>';

/** Takes long and gigabytes to lay out: a table of some hundred thousand cells in columns. */
export function slowToLayOut(): string {
  const row = `<tr>${'<td>x'.repeat(400)}`;
  return `<!doctype html><table>${row.repeat(2_500)}</table>`;
}
