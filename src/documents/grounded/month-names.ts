// English, German, French, Spanish, Italian, Portuguese, without accents.
const MONTHS: readonly (readonly string[])[] = [
  ['january', 'januar', 'janvier', 'enero', 'gennaio', 'janeiro', 'janner'],
  ['february', 'februar', 'fevrier', 'febrero', 'febbraio', 'fevereiro', 'feber'],
  ['march', 'marz', 'mars', 'marzo', 'marco', 'maerz'],
  ['april', 'avril', 'abril', 'aprile'],
  ['may', 'mai', 'mayo', 'maggio', 'maio'],
  ['june', 'juni', 'juin', 'junio', 'giugno', 'junho'],
  ['july', 'juli', 'juillet', 'julio', 'luglio', 'julho'],
  ['august', 'aout', 'agosto'],
  ['september', 'septembre', 'septiembre', 'settembre', 'setembro', 'setiembre'],
  ['october', 'oktober', 'octobre', 'octubre', 'ottobre', 'outubro'],
  ['november', 'novembre', 'noviembre', 'novembro'],
  ['december', 'dezember', 'decembre', 'diciembre', 'dicembre', 'dezembro'],
];
const SHORTEST = 3;

/** The month, 1 to 12, for a name or abbreviation in any of six languages. */
export function monthOf(name: string): number | undefined {
  const plain = withoutAccents(name).toLowerCase().replace(/\.$/, '');
  if (plain.length < SHORTEST) return undefined;
  const matches = MONTHS.flatMap((names, index) =>
    names.some((month) => month === plain || (plain.length <= 5 && month.startsWith(plain)))
      ? [index + 1]
      : [],
  );
  return matches.length === 1 ? matches[0] : undefined;
}

export function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
}
