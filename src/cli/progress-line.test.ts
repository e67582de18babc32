import { describe, expect, it } from 'vitest';
import { catalogueData } from '../catalogue/catalogue-data.ts';
import { fetchLine } from './progress-line.ts';

const drawn = (receivedBytes: number, totalBytes = 93_000_000) =>
  fetchLine('tiny', { source: 'huggingface.co', receivedBytes, totalBytes });

describe('the line of a model that comes', () => {
  it('draws how much of it is here', () => {
    expect([drawn(0), drawn(41_000_000), drawn(92_999_999), drawn(93_000_000)]).toEqual([
      'Fetching tiny  [....................]   0 %  0 of 93 MB',
      'Fetching tiny  [########............]  44 %  41 of 93 MB',
      'Fetching tiny  [###################.]  99 %  93 of 93 MB',
      'Fetching tiny  [####################] 100 %  93 of 93 MB',
    ]);
  });

  it('stays within its bounds, whatever a server says', () => {
    expect(drawn(200, 100)).toContain('[####################] 100 %');
    expect(drawn(5, 0)).toContain('[....................]   0 %');
  });

  it('fits a terminal of 80 columns for every model of the catalogue', () => {
    for (const { name } of catalogueData) {
      const totalBytes = 9_900_000_000;
      expect(fetchLine(name, { source: '', receivedBytes: totalBytes, totalBytes }).length).toBeLessThan(80);
    }
  });
});
