import { describe, expect, it } from 'vitest';
import { extract } from '../../../../testing/documents/extract-by-rules.ts';

const items = (name: string) => ({ [name]: { type: 'array', items: { type: 'string' } } });

describe('items of a list', () => {
  it('may have a letter as their bullet', async () => {
    const lines = ['Decisions', 'v  Keep the old gate', 'v  Paint the fence'];
    expect(await extract(items('decisions'), lines)).toEqual({
      decisions: ['Keep the old gate', 'Paint the fence'],
    });
  });

  it('stand below a title with the number of its section, up to a label without a value', async () => {
    const lines = ['Step 4 of 4: Attachments', 'lease.pdf (212 kB)', 'card.jpg (1.4 MB)', 'Comments', '-'];
    expect(await extract(items('attachments'), lines)).toEqual({ attachments: ['lease.pdf', 'card.jpg'] });
  });

  it('are persons between dashes, or with what is said of them in brackets', async () => {
    expect(await extract(items('doctors'), ['Doctors: Dr Ann Lee - Dr Bo Marsh'])).toEqual({
      doctors: ['Dr Ann Lee', 'Dr Bo Marsh'],
    });
    const lines = ['Present', '- teachers : Mr Lee (Year 1), Mrs Marsh (Year 2),', '  Ms Wu (Year 3)'];
    expect(await extract(items('teachers'), lines)).toEqual({ teachers: ['Mr Lee', 'Mrs Marsh', 'Ms Wu'] });
  });
});
