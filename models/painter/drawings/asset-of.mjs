/** The file name, without its ending, of one of the painter's own drawings. */
export function assetOf(name) {
  return `own-${name.replaceAll(' ', '-')}`;
}
