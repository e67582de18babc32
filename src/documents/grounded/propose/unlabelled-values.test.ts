import { describe, expect, it } from 'vitest';
import { extract } from '../../../../testing/documents/extract-by-rules.ts';

const text = { type: 'string' };
const date = { type: 'string', format: 'date' };
const list = (...names: readonly string[]) => ({
  type: 'array',
  items: {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, text])),
    required: names,
  },
});

describe('a letter', () => {
  it('has its place and date in one line, whatever other dates it names', async () => {
    const lines = [
      'Livorno, 7 novembre 2024',
      '',
      'Contesto la fattura del 15 ottobre 2024, nella quale mi viene addebitato un importo.',
    ];
    expect(await extract({ citta: text, data: date }, lines)).toEqual({
      citta: 'Livorno',
      data: '2024-11-07',
    });
  });

  it('does not take a place and date beside a signature for its own', async () => {
    const lines = ['Datum: 21.03.2025', ...Array<string>(6).fill('Punkt'), 'Bremen, 28.03.2025'];
    expect(await extract({ datum: date }, lines)).toEqual({ datum: '2025-03-21' });
  });

  it('has sender and addressee in blocks, beside others and below an honorific', async () => {
    const lines = [
      'Finanzamt Lüneburg',
      '',
      'Herrn                    Aktenzeichen   33/128',
      'Jannis Petersen          Zimmer         2.14',
      'Heiligengeiststr. 12',
      '21335 Lüneburg',
      '',
      'Sehr geehrter Herr Petersen,',
    ];
    expect(await extract({ absender: text, empfaenger: text }, lines)).toEqual({
      absender: 'Finanzamt Lüneburg',
      empfaenger: 'Jannis Petersen',
    });
  });

  it('has its subject above the prose where it has no salutation', async () => {
    const lines = [
      'Agnieszka Nowak',
      '',
      'FitPark Sp. z o.o.',
      'ul. Robotnicza 8',
      '53-607 Wrocław',
      '',
      '          Wypowiedzenie umowy',
      '',
      'Niniejszym wypowiadam umowę z zachowaniem miesięcznego okresu wypowiedzenia od dziś.',
    ];
    expect(await extract({ temat: text, adresat: text }, lines)).toEqual({
      temat: 'Wypowiedzenie umowy',
      adresat: 'FitPark Sp. z o.o.',
    });
  });
});

describe('a life', () => {
  it('says when and where a person was born in one sentence', async () => {
    const schema = { birth_date: date, place_of_birth: text, city: text };
    const lines = ['Amselweg 3, 26129 Oldenburg', 'geboren am 19. August 1988 in Leer'];
    expect(await extract(schema, lines)).toEqual({
      birth_date: '1988-08-19',
      place_of_birth: 'Leer',
      city: 'Oldenburg',
    });
  });

  it('has stations, each with a period beside a title and what stands below', async () => {
    const lines = [
      'EXPERIENCE',
      '',
      'Senior Engineer                 Mar 2020 - present',
      'Aldgate Frames Ltd, Leeds',
      '- Designed frames for nine schools',
      '',
      'Graduate Engineer               Sep 2015 - Feb 2020',
      'Northern Bridges plc, York',
      '',
      'EDUCATION',
      '',
      'MEng Civil Engineering          2011 - 2015',
    ];
    expect(await extract({ experience: list('role', 'company', 'start', 'end') }, lines)).toEqual({
      experience: [
        { role: 'Senior Engineer', company: 'Aldgate Frames Ltd', start: 'Mar 2020', end: 'present' },
        { role: 'Graduate Engineer', company: 'Northern Bridges plc', start: 'Sep 2015', end: 'Feb 2020' },
      ],
    });
  });

  it('has stations with the employer named first or above the period', async () => {
    const lines = [
      'Berufserfahrung',
      'Nordwest GmbH, Leitung Einkauf',
      'seit 2019',
      '',
      'Einkäuferin                     2012 bis 2019',
      'Klinikum Leer',
    ];
    expect(await extract({ berufserfahrung: list('zeitraum', 'stelle', 'arbeitgeber') }, lines)).toEqual({
      berufserfahrung: [
        { zeitraum: 'seit 2019', stelle: 'Leitung Einkauf', arbeitgeber: 'Nordwest GmbH' },
        { zeitraum: '2012 bis 2019', stelle: 'Einkäuferin', arbeitgeber: 'Klinikum Leer' },
      ],
    });
  });
});

describe('a whole name', () => {
  it.each([
    ['Nome e cognome: Chiara Bellandi', 'nome', 'cognome', 'Chiara', 'Bellandi'],
    ['Name, Vorname: Osterkamp, Miriam', 'vorname', 'nachname', 'Miriam', 'Osterkamp'],
    ['Name, Vorname: van der Berg, Jan', 'vorname', 'nachname', 'Jan', 'van der Berg'],
    ['Maxime BERTIN', 'prenom', 'nom', 'Maxime', 'BERTIN'],
    ['Dr. Ana García Márquez de Soto', 'first_name', 'last_name', 'Ana García Márquez', 'de Soto'],
  ])('%s is split for a schema with first and last name', async (line, first, last, one, other) => {
    expect(await extract({ [first]: text, [last]: text }, [line, '', '12 rue Pasteur'])).toEqual({
      [first]: one,
      [last]: other,
    });
  });

  it('is not made of values that have labels of their own', async () => {
    const lines = ['Apellidos: Gil Soto', 'Nombre: Ana', 'Tutor: Eva Mar'];
    expect(await extract({ nombre: text, apellidos: text }, lines)).toEqual({
      nombre: 'Ana',
      apellidos: 'Gil Soto',
    });
  });
});

describe('an institution', () => {
  it.each([
    ['laboratoire', 'Laboratoire Bio-Ouest', 'Laboratoire Bio-Ouest'],
    ['university', 'MEng, University of Sheffield, 2015', 'University of Sheffield'],
    ['fund', 'Harbour Growth Fund', 'Harbour Growth Fund'],
  ])('keeps the word of its name that %s asks for', async (name, line, found) => {
    expect(await extract({ [name]: text }, [line, '', 'Nr. 4'])).toEqual({ [name]: found });
  });

  it('is not made of a title', async () => {
    const found = await extract({ laboratory: text }, [
      'Kestrel Diagnostics',
      '',
      'Laboratory report',
      'x: 1',
    ]);
    expect(found).toEqual({ laboratory: 'Kestrel Diagnostics' });
  });
});

describe('what heads something is no value', () => {
  it('as a line above what is moved to the right', async () => {
    const lines = ['Ada Byron', 'Engineer', '', 'Contact', '  Post   ada@x.example'];
    expect(await extract({ job_title: text, name: text }, lines)).toMatchObject({ job_title: 'Engineer' });
  });

  it('as the title of a document', async () => {
    expect(await extract({ name: text }, ['CURRICULUM VITAE', 'Ada Byron', 'ada@x.example'])).toEqual({
      name: 'Ada Byron',
    });
  });

  it('as a title of a column', async () => {
    const lines = ['Treno               Carrozza   Posto', 'Frecciarossa 9521   4          11D'];
    expect(await extract({ treno: text, posto: text }, lines)).toEqual({
      treno: 'Frecciarossa 9521',
      posto: '11D',
    });
  });
});

describe('a row of titles', () => {
  it('that names no column is no row of the list', async () => {
    const items = {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: text, price: { type: ['number', 'null'] } },
        required: ['name', 'price'],
      },
    };
    const lines = ['Sache         Wert', 'Lampe         12,50', 'Tisch         80,00'];
    expect(await extract({ items }, lines)).toEqual({
      items: [
        { name: 'Lampe', price: 12.5 },
        { name: 'Tisch', price: 80 },
      ],
    });
  });

  it('is not what stands in the middle of a form', async () => {
    const lines = [
      'Herrn            Aktenzeichen   33/128',
      'Jannis Petersen  Bearbeiterin   Frau Thiessen',
      'Hof 12           Durchwahl      04131 555-118',
    ];
    expect(await extract({ bearbeiterin: text }, lines)).toEqual({ bearbeiterin: 'Frau Thiessen' });
  });
});

describe('a journey', () => {
  it('begins at the first of two times with a place, and ends at the second', async () => {
    const schema = { gare_depart: text, gare_arrivee: text, heure_depart: text, heure_arrivee: text };
    const lines = ['08h36   Lyon Part-Dieu', '        TGV 6807', '10h31   Montpellier Saint-Roch'];
    const table = ['Lyon Part-Dieu   18/04   dep 08h36', 'Montpellier Saint-Roch   18/04   arr 10h31'];
    const stations = { gare_depart: text, gare_arrivee: text };
    expect(await extract(stations, table)).toEqual({
      gare_depart: 'Lyon Part-Dieu',
      gare_arrivee: 'Montpellier Saint-Roch',
    });
    expect(await extract(schema, lines)).toEqual({
      gare_depart: 'Lyon Part-Dieu',
      gare_arrivee: 'Montpellier Saint-Roch',
      heure_depart: '08h36',
      heure_arrivee: '10h31',
    });
  });
});

describe('boxes', () => {
  const flag = { type: 'boolean' };
  it.each([
    ['Smoker   [x] yes   [ ] no', true],
    ['Smoker   yes [ ]   no [x]', false],
    ['Smoker   NO (x)  YES ( )', false],
    ['Smoker   ☐ no  ☒ yes', true],
  ])('of %s answer for the label before them', async (line, smoker) => {
    expect(await extract({ smoker: flag }, ['Form 4', line])).toEqual({ smoker });
  });

  it('may stand behind the members of an enumeration', async () => {
    const schema = { estado: { enum: ['soltero', 'casado', 'viudo'] } };
    for (const line of [
      'Estado: soltero [ ]  casado [x]  viudo [ ]',
      'Estado: [ ] soltero  [x] casado  [ ] viudo',
    ])
      expect(await extract(schema, [line])).toEqual({ estado: 'casado' });
  });
});

describe('what stands behind a label', () => {
  it('is a figure in front of it too, as an ordinal', async () => {
    const lines = ['Einfache Fahrt, 2. Klasse, 1 Erwachsener'];
    expect(await extract({ klasse: { type: 'integer' } }, lines)).toEqual({ klasse: 2 });
  });

  it('is a language without how well it is spoken', async () => {
    const schema = { languages: { type: 'array', items: text } };
    expect(await extract(schema, ['Languages: Polish (native), English'])).toEqual({
      languages: ['Polish', 'English'],
    });
  });

  it('is taken whole where it is long, with the full stop of a sentence', async () => {
    const long = 'Beim Ausparken hat der Gegner meinen rechten Kotflügel leicht gestreift.';
    expect(await extract({ hergang: text }, [`Hergang: ${long}`])).toEqual({ hergang: long });
    const short = 'Potassium may be raised slightly.';
    expect(await extract({ comment: text }, [`Comment: ${short}`])).toEqual({ comment: short });
  });

  it('does not stand below an empty slot if it has a label of its own', async () => {
    const schema = { geburtsname: { type: ['string', 'null'] } };
    expect(await extract(schema, ['Geburtsname:', 'Amtl. Kennzeichen:   OS-MK 418'])).toEqual({
      geburtsname: null,
    });
  });

  it('ends a list where the next label stands, and is without roles in brackets', async () => {
    const schema = { asistentes: { type: 'array', items: text }, ausentes: { type: 'array', items: text } };
    const lines = ['Asistentes:', '  - Ana Ruiz (presidenta)', '  - Eva Mar', 'Ausentes:', '  - Jorge Sanz'];
    expect(await extract(schema, lines)).toEqual({
      asistentes: ['Ana Ruiz', 'Eva Mar'],
      ausentes: ['Jorge Sanz'],
    });
  });
});
