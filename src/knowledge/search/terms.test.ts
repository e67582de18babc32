import { describe, expect, it } from 'vitest';
import { foldText, guessLanguage, prefixOf, questionWords, termsOf } from './terms.ts';

describe('what a text is found by', () => {
  it('is the stems of its words without stop words, lower case and without accents', () => {
    expect(termsOf('The Returned Parcels', 'english')).toEqual(termsOf('return parcel', 'english'));
    expect(termsOf('Las Informaciones', 'spanish')).toEqual(termsOf('informaciones', 'spanish'));
    expect(foldText('Straße ÉCOLE')).toBe('strasse ecole');
  });

  it('keeps names whole and in parts', () => {
    expect(termsOf('AB-1234', 'none')).toEqual(['ab-1234', 'ab', '1234']);
    expect(termsOf('Version v2.1.', 'none')).toEqual(['version', 'v2.1', 'v2', '1']);
    expect(termsOf('jo.doe@example.org', 'none')).toEqual([
      'jo.doe@example.org',
      'jo',
      'doe',
      'example',
      'org',
    ]);
  });

  it('takes text without spaces apart into pairs of characters', () => {
    expect(termsOf('東京都', 'none')).toEqual(['東京', '京都']);
    expect(termsOf('京', 'none')).toEqual(['京']);
  });

  it('has the words of languages without spaces that a dictionary tells apart', () => {
    expect(termsOf('ฉันกินข้าวที่บ้าน', 'none')).toEqual(['ฉัน', 'กิน', 'ข้าว', 'ที่', 'บ้าน']);
    expect(termsOf('ห้อง AB-12 อยู่ชั้น3', 'none')).toEqual(['ห้อง', 'ab-12', 'ab', '12', 'อยู่', 'ชั้น', '3']);
  });

  it('keeps vowels that are written as marks, and drops points that are left out in writing', () => {
    expect(termsOf('हिन्दी', 'none')).toEqual(['हिन्दी'.normalize('NFKD')]);
    expect(termsOf('كِتَاب', 'none')).toEqual(termsOf('كتاب', 'none'));
    expect(termsOf('שָׁלוֹם', 'none')).toEqual(termsOf('שלום', 'none'));
  });

  it('leaves out what is too long to be a word', () => {
    expect(termsOf(`${'x'.repeat(65)} word`, 'none')).toEqual(['word']);
  });
});

describe('the language of a text', () => {
  it.each([
    ['The parcel is with the driver and it will be here by noon.', 'english'],
    ['Das Paket ist bei dem Fahrer und wird bis zum Mittag hier sein.', 'german'],
    ['El paquete está con el conductor y llegará antes de las doce.', 'spanish'],
    ['Le colis est chez le livreur et il arrivera avant midi pour vous.', 'french'],
    ['Il pacco è con il corriere e sarà qui prima delle dodici.', 'italian'],
    ['O pacote está com o motorista e não chegará antes das doze.', 'portuguese'],
    ['AB-1234 17.50 9 8 7', 'none'],
  ])('of "%s" is %s', (text, language) => {
    expect(guessLanguage(text)).toBe(language);
  });
});

describe('the words of a question', () => {
  it('have the stems of every language that is there, and come once', () => {
    const words = questionWords('Which parcels? Parcels!', ['english', 'none']);
    expect(words).toEqual([new Set(['parcel', 'parcels'])]);
  });

  it('are the same with accents and without', () => {
    expect(questionWords('informacion', ['spanish'])).toEqual(questionWords('Información', ['spanish']));
  });

  it('share their beginning with other forms where they are long', () => {
    expect(prefixOf('steuererklarung')).toBe(prefixOf('steuern'));
    expect(prefixOf('steue')).toBeUndefined();
  });
});
