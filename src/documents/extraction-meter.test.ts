import { expect, it } from 'vitest';
import { FakeMeter } from '../../testing/fake-meter.ts';
import type { Consumption } from '../access/meter.ts';
import { CallMeter, ExtractionMeter } from './extraction-meter.ts';

/** Keeps reports as they were made. */
class ListingMeter extends FakeMeter {
  readonly told: Consumption[] = [];

  override add(used: Consumption): void {
    this.told.push(used);
  }
}

it('a call is charged once, with the tokens that the server had in its cache', () => {
  const request = new ListingMeter();
  const extraction = new ExtractionMeter(request);
  {
    using call = new CallMeter(extraction);
    call.add({ promptTokens: 10, cachedTokens: 4, completionTokens: 1 });
    call.add({ promptTokens: 5, completionTokens: 2 });
    expect(request.told).toEqual([]);
  }
  expect(request.told).toEqual([{ promptTokens: 15, cachedTokens: 4, completionTokens: 3 }]);
  expect(extraction.usage).toEqual({ promptTokens: 15, completionTokens: 3 });
});

it('a call that is waived is not charged', () => {
  const request = new ListingMeter();
  {
    using call = new CallMeter(request);
    call.add({ promptTokens: 10 });
    call.waive();
  }
  expect(request.told).toEqual([]);
});
