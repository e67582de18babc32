import { describe, expect, it } from 'vitest';
import { extract } from '../../../../testing/documents/extract-by-rules.ts';

const text = { type: 'string' };
const object = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
  required: names,
});

describe('fields that belong together', () => {
  it('take the values below the heading of their group, where groups stand beside each other', async () => {
    const schema = {
      landlord_name: text,
      landlord_phone: text,
      tenant_name: text,
      tenant_phone: text,
    };
    const lines = [
      'RENTAL AGREEMENT',
      '',
      'Landlord                       Tenant',
      'Name: Ann Lee                  Name: Bo Marsh',
      'Phone: 020 7946 0958           Phone: 0117 496 0123',
    ];
    expect(await extract(schema, lines)).toEqual({
      landlord_name: 'Ann Lee',
      landlord_phone: '020 7946 0958',
      tenant_name: 'Bo Marsh',
      tenant_phone: '0117 496 0123',
    });
  });

  it('are told apart by the letter of their heading, in a form that numbers its labels', async () => {
    const schema = { vehicle_a: object('insurer', 'driver'), vehicle_b: object('insurer', 'driver') };
    const lines = [
      'Accident statement',
      '',
      '     VEHICLE  A                  VEHICLE  B',
      '8 insurer                     8 insurer',
      '  Albion Mutual                 Severn Cover',
      '9 driver                      9 driver',
      '  ANN LEE                       BO MARSH',
    ];
    expect(await extract(schema, lines)).toEqual({
      vehicle_a: { insurer: 'Albion Mutual', driver: 'ANN LEE' },
      vehicle_b: { insurer: 'Severn Cover', driver: 'BO MARSH' },
    });
  });

  it('take the values of a section below each other, with its period', async () => {
    const schema = { apprenticeship: object('company', 'from', 'to'), nationality: text };
    const lines = [
      'Personal details',
      '',
      '     Nationality           British',
      '',
      'Apprenticeship',
      '',
      '     08/1993 - 01/1997     Harbour Works Ltd',
      '',
      'Skills',
      '',
      '     Languages             Welsh',
    ];
    expect(await extract(schema, lines)).toEqual({
      apprenticeship: { company: 'Harbour Works Ltd', from: '08/1993', to: '01/1997' },
      nationality: 'British',
    });
  });

  it('take the values of blocks below each other', async () => {
    const schema = { sender: object('name', 'city'), recipient: object('name', 'city') };
    const lines = [
      'Consignment note',
      '',
      'Recipient:',
      'Bo Marsh',
      '2 Low Road',
      'YO1 7EP York',
      '',
      'Sender:',
      'Ann Lee',
      '1 High Street',
      'LS1 4AP Leeds',
    ];
    const data = await extract(schema, lines);
    expect(data).toMatchObject({ sender: { name: 'Ann Lee' }, recipient: { name: 'Bo Marsh' } });
  });

  it('keep the values of other groups with the same labels', async () => {
    const schema = { buyer_name: text, buyer_iban: text, seller_name: text, seller_iban: text };
    const lines = [
      'Seller',
      '  Name   Harbour Works Ltd',
      '  IBAN   DE89 3704 0044 0532 0130 00',
      '',
      'Buyer',
      '  Name   Mill Lane Ltd',
      '  IBAN   GB29 NWBK 6016 1331 9268 19',
    ];
    expect(await extract(schema, lines)).toEqual({
      buyer_name: 'Mill Lane Ltd',
      buyer_iban: 'GB29 NWBK 6016 1331 9268 19',
      seller_name: 'Harbour Works Ltd',
      seller_iban: 'DE89 3704 0044 0532 0130 00',
    });
  });
});
