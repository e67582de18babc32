import { describe, expect, it } from 'vitest';
import { extract } from '../../../../testing/documents/extract-by-rules.ts';

const text = { type: 'string' };
const maybe = { type: ['string', 'null'] };

function listOf(properties: Readonly<Record<string, unknown>>) {
  return { type: 'array', items: { type: 'object', properties, required: Object.keys(properties) } };
}

describe('stations of a life', () => {
  const jobs = { jobs: listOf({ role: text, employer: text, from: text, to: maybe }) };

  it('have their period in a column beside them, which may wrap, go on until now, or say its year once', async () => {
    const lines = [
      'Werdegang',
      'seit März 2020          Lindner, Bremen',
      '                        Projektleiterin',
      '',
      'April 2016 –            Holz und Raum, Kiel',
      'Februar 2020            Technikerin im Innenausbau',
      '                        Angebote, Aufmaß, Abnahme',
      '',
      'Mai – Juli 2015         Tischlerei Voss',
      '                        Praktikantin',
    ];
    expect(await extract(jobs, lines)).toEqual({
      jobs: [
        { role: 'Projektleiterin', employer: 'Lindner', from: 'März 2020', to: null },
        {
          role: 'Technikerin im Innenausbau',
          employer: 'Holz und Raum',
          from: 'April 2016',
          to: 'Februar 2020',
        },
        { role: 'Praktikantin', employer: 'Tischlerei Voss', from: 'Mai', to: 'Juli 2015' },
      ],
    });
  });

  it('may name the role first', async () => {
    const lines = ['EXPERIENCE', '', '2019 - 2022   Team Manager, Corbel', '2016 - 2019   Analyst, Dunmore'];
    expect(await extract(jobs, lines)).toEqual({
      jobs: [
        { role: 'Team Manager', employer: 'Corbel', from: '2019', to: '2022' },
        { role: 'Analyst', employer: 'Dunmore', from: '2016', to: '2019' },
      ],
    });
  });

  it.each([
    ['before', ['2014   BSc Physics, Harrow College', '2012   A levels, Moorside School']],
    ['behind', ['BSc Physics, Harrow College, 2014', 'A levels, Moorside School (2012)']],
  ])('may have a single year %s them', async (_, lines) => {
    const studies = { studies: listOf({ degree: text, school: text, year: { type: 'integer' } }) };
    expect(await extract(studies, ['Education', ...lines])).toEqual({
      studies: [
        { degree: 'BSc Physics', school: 'Harrow College', year: 2014 },
        { degree: 'A levels', school: 'Moorside School', year: 2012 },
      ],
    });
  });
});

describe('pairs', () => {
  const languages = { languages: listOf({ language: text, level: text }) };
  const found = {
    languages: [
      { language: 'English', level: 'C1' },
      { language: 'Welsh', level: 'native, spoken at home' },
    ],
  };

  it.each([
    ['in a line', ['Languages: English (C1), Welsh (native, spoken at home)']],
    ['below each other', ['Languages', '', 'English (C1)', 'Welsh (native, spoken at home)']],
    ['in two columns', ['Languages', 'English     C1', 'Welsh       native, spoken at home']],
  ])('are read %s', async (_, lines) => {
    expect(await extract(languages, lines)).toEqual(found);
  });
});

it('reads a list behind a label inside a line, up to the next label, and on in the next line after a comma', async () => {
  const lines = [
    'Status   Open     Tags   disk, backup,',
    '                         night shift',
    'Owner    Kim',
  ];
  expect(await extract({ tags: { type: 'array', items: text } }, lines)).toEqual({
    tags: ['disk', 'backup', 'night shift'],
  });
});

it('joins the line that a cell of a table begins in', async () => {
  const tasks = { tasks: listOf({ task: text, owner: text }) };
  const lines = [
    'Task                       Owner',
    'Ask the builder about the',
    'price of the roof          Ann',
    'Book a hall                Ben',
  ];
  expect(await extract(tasks, lines)).toEqual({
    tasks: [
      { task: 'Ask the builder about the price of the roof', owner: 'Ann' },
      { task: 'Book a hall', owner: 'Ben' },
    ],
  });
});
