/**
 * English, German, French, Spanish, Italian, Portuguese, Dutch, Polish (both cases), without accents; then abbreviations that are
 * no beginning of a name.
 */
const MONTHS: readonly (readonly string[])[] = [
  'january januar janvier enero gennaio janeiro januari stycznia styczen janner',
  'february februar fevrier febrero febbraio fevereiro februari lutego luty feber',
  'march marz mars marzo marco maart marca marzec maerz mrt mrz',
  'april avril abril aprile kwietnia kwiecien',
  'may mai mayo maggio maio mei maja maj',
  'june juni juin junio giugno junho czerwca czerwiec',
  'july juli juillet julio luglio julho lipca lipiec',
  'august aout agosto augustus sierpnia sierpien',
  'september septembre septiembre settembre setembro setiembre wrzesnia wrzesien',
  'october oktober octobre octubre ottobre outubro pazdziernika pazdziernik',
  'november novembre noviembre novembro listopada listopad',
  'december dezember decembre diciembre dicembre dezembro grudnia grudzien',
].map((names) => names.split(' '));
const SHORTEST = 3;
const LONGEST_ABBREVIATION = 5;

/** The month, 1 to 12, for a name or abbreviation in any of eight languages. */
export function monthOf(name: string): number | undefined {
  const plain = withoutAccents(name).toLowerCase().replace(/\.$/, '');
  if (plain.length < SHORTEST) return undefined;
  const isShort = plain.length <= LONGEST_ABBREVIATION;
  const matches = MONTHS.flatMap((names, index) =>
    names.some((month) => month === plain || (isShort && month.startsWith(plain))) ? [index + 1] : [],
  );
  return matches.length === 1 ? matches[0] : undefined;
}

export function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'L')
    .replaceAll('ø', 'o')
    .replaceAll('Ø', 'O');
}
