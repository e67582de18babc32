import { formRequest, jsonRequest } from '../ask.mjs';

const DOCUMENT = Buffer.from('A fox may return a parcel within 30 days.\n\n'.repeat(120_000));

/** More to store than the quota allows. */
export const diskAttacks = [
  {
    name: 'disk',
    what: 'documents of 5 MB and images until the storage quota is full, and on',
    engines: ['upstream'],
    needs: 'quota',
    run: (noise) =>
      Promise.all([
        noise.keepAsking(4, (number) =>
          formRequest('/v1/knowledge', { file: [`${number}.txt`, DOCUMENT] }, noise.keys.library),
        ),
        noise.keepAsking(1, () =>
          jsonRequest('/v1/images/generations', { prompt: 'a fox' }, noise.keys.noisy),
        ),
      ]),
  },
];
