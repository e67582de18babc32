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

describe('stations whose names stand above their period', () => {
  const jobs = { jobs: listOf({ role: text, company: text, start: text, end: text, place: maybe }) };

  it('have what stands in brackets behind the company for their place', async () => {
    const lines = [
      'WORK',
      '',
      'Harbour Ropes (Leeds)',
      'Electrician',
      '2017 to 2023',
      '',
      'Own projects',
      'Assistant electrician',
      '2012 to 2014',
    ];
    expect(await extract(jobs, lines)).toEqual({
      jobs: [
        { role: 'Electrician', company: 'Harbour Ropes', start: '2017', end: '2023', place: 'Leeds' },
        { role: 'Assistant electrician', company: 'Own projects', start: '2012', end: '2014', place: null },
      ],
    });
  });

  it('take the company over from the station above, and leave out how long each was', async () => {
    const lines = [
      'Experience',
      '',
      'Harbour Ropes',
      '6 years 2 months',
      'Clerk',
      'May 2020 - present (3 years 1 month)',
      'Leeds',
      '',
      'Driver',
      'March 2017 - May 2020',
      'York',
    ];
    expect(await extract(jobs, lines)).toEqual({
      jobs: [
        { role: 'Clerk', company: 'Harbour Ropes', start: 'May 2020', end: 'present', place: 'Leeds' },
        { role: 'Driver', company: 'Harbour Ropes', start: 'March 2017', end: 'May 2020', place: 'York' },
      ],
    });
  });

  it('may go on, and have only a place to name who they were at', async () => {
    const posts = {
      posts: listOf({
        title: text,
        place: text,
        startYear: { type: 'integer' },
        endYear: { type: ['integer', 'null'] },
      }),
    };
    const lines = [
      'POSTS',
      '',
      '2016–       Lecturer, University of Leeds',
      '2011–2016   Tutor, University of York',
    ];
    expect(await extract(posts, lines)).toEqual({
      posts: [
        { title: 'Lecturer', place: 'University of Leeds', startYear: 2016, endYear: null },
        { title: 'Tutor', place: 'University of York', startYear: 2011, endYear: 2016 },
      ],
    });
  });
});

describe('plain lists', () => {
  const items = (name: string) => ({ [name]: { type: 'array', items: text } });

  it('are the only items with bullets where no label names them', async () => {
    const lines = ['Three things want doing:', '', '  - worn rope', '  - two soft planks', '', 'Yours'];
    expect(await extract(items('faults'), lines)).toEqual({ faults: ['worn rope', 'two soft planks'] });
    expect(await extract(items('faults'), [...lines, '- a', '- b'])).toEqual({ faults: [] });
  });

  it('are the column under their title, if others stand beside it', async () => {
    const lines = [
      'Directors       Seat Leeds      County Bank',
      'Ann Lee         Court of York   BIC LEEDGB2L',
      'Bo Marsh        No 2207',
    ];
    expect(await extract(items('directors'), lines)).toEqual({ directors: ['Ann Lee', 'Bo Marsh'] });
  });

  it('name people without what is said of them in brackets, or behind a mark', async () => {
    expect(await extract(items('present'), ['Present: Ann Lee (Chair), Bo Marsh (CE1-CE2)'])).toEqual({
      present: ['Ann Lee', 'Bo Marsh'],
    });
    expect(await extract(items('participants'), ['Participants: @Ann L. @Bo M.'])).toEqual({
      participants: ['Ann L.', 'Bo M.'],
    });
  });
});

it('gives the rows of a table to one list only', async () => {
  const lists = {
    payments: listOf({ payee: text, purpose: text, amount: { type: 'number' } }),
    applications: listOf({ ref: text, site: text, decision: text }),
  };
  const lines = [
    'Payments',
    'Ann Lee       grass cutting     210.00',
    'Village Hall  hire of room       18.00',
  ];
  expect(await extract(lists, lines)).toEqual({
    payments: [
      { payee: 'Ann Lee', purpose: 'grass cutting', amount: 210 },
      { payee: 'Village Hall', purpose: 'hire of room', amount: 18 },
    ],
    applications: [],
  });
});
