/** A letter with a table of goods. */
export interface WrittenLetter {
  readonly title: string;
  readonly prose: string;
  readonly header: readonly string[];
  readonly goods: readonly string[];
  readonly currency: string;
}

export type LetterLanguage = 'en' | 'es' | 'de' | 'fr' | 'it' | 'pt';

export const pageTexts: Readonly<Record<LetterLanguage, WrittenLetter>>;
