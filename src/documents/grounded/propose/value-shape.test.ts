import { expect, it } from 'vitest';
import { extract } from '../../../../testing/documents/extract-by-rules.ts';

const text = { type: 'string' };

it('takes a moment with its date for a field that asks when, and the time with its words', async () => {
  const schema = { created_at: text, closing_time: text };
  const lines = [
    'Created    2024-05-06 07:08    Group   Night',
    '',
    'The office closed at 6.30 pm that day.',
  ];
  expect(await extract(schema, lines)).toEqual({ created_at: '2024-05-06 07:08', closing_time: '6.30 pm' });
});

it('keeps values beside labels in a grid of labels and values', async () => {
  const schema = { assignee: text, status: text, created: { type: 'string', format: 'date' } };
  const lines = [
    'Status     Pending       Assignee   Tom Hale',
    'Created    2024-05-06    Tags       disk, night',
  ];
  expect(await extract(schema, lines)).toEqual({
    assignee: 'Tom Hale',
    status: 'Pending',
    created: '2024-05-06',
  });
});

it('does not take who writes a letter for its reader, nor a person for a company', async () => {
  const schema = { insurer: text, customer_name: text };
  const lines = [
    'FENLAND MUTUAL SOCIETY',
    '2 Quay Road',
    '',
    'Ms R. Boyd',
    '4 Elm Way',
    'Ely CB7 4AA',
    '',
    'Dear Ms Boyd,',
  ];
  expect(await extract(schema, lines)).toEqual({
    insurer: 'FENLAND MUTUAL SOCIETY',
    customer_name: 'Ms R. Boyd',
  });
});

it('keeps a name whose last part comes first whole, and long numbers with spaces', async () => {
  const schema = { patient_name: text, meter_number: text };
  const lines = ['Patient:  HALE, Tom Peter      Sex: M', 'Meter no.     1 ABC 00 1234 5678'];
  expect(await extract(schema, lines)).toEqual({
    patient_name: 'HALE, Tom Peter',
    meter_number: '1 ABC 00 1234 5678',
  });
});

it('names a field of a name by a label that only says whose', async () => {
  const schema = { passenger_name: text, name: text };
  expect(await extract(schema, ['Name: Office', 'Passenger: Bo Marsh'])).toEqual({
    passenger_name: 'Bo Marsh',
    name: 'Office',
  });
});

it('leaves out a member of an enumeration whose box is empty', async () => {
  const schema = { housing: { enum: ['owned', 'rented', 'other'] } };
  expect(await extract(schema, ['Home   [ ] owned   [X] zur Miete'])).toEqual({ housing: 'rented' });
});
