import { describe, expect, it } from 'vitest';
import { extract } from '../../../../testing/documents/extract-by-rules.ts';

const text = { type: 'string' };
const properties = { from: text, to: text, job: text, employer: text, main_duties: text };
const work = {
  work: { type: 'array', items: { type: 'object', properties, required: Object.keys(properties) } },
};

describe('labels with their values below them', () => {
  it('make an item each time that they come again', async () => {
    const lines = [
      'WORK EXPERIENCE',
      '   Dates',
      '      09/2015 - present',
      '   Position held',
      '      Analyst',
      '   Activities',
      '      Water analysis',
      '   Employer',
      '      Harbour Works Ltd',
      '',
      '   Dates',
      '      02/2013 - 07/2015',
      '   Position held',
      '      Assistant',
      '   Activities',
      '      Preparing samples',
      '   Employer',
      '      Mill Lane Ltd',
    ];
    expect(await extract(work, lines)).toEqual({
      work: [
        {
          from: '09/2015',
          to: 'present',
          job: 'Analyst',
          employer: 'Harbour Works Ltd',
          main_duties: 'Water analysis',
        },
        {
          from: '02/2013',
          to: '07/2015',
          job: 'Assistant',
          employer: 'Mill Lane Ltd',
          main_duties: 'Preparing samples',
        },
      ],
    });
  });

  it('make no list if they stand once', async () => {
    expect(await extract(work, ['Employer', '  Harbour Works Ltd', 'Position', '  Analyst'])).toEqual({
      work: [],
    });
  });
});
