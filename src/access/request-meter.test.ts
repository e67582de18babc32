import { beforeEach, describe, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { FakeUsageRecorder } from '../../testing/fake-usage-recorder.ts';
import type { Caller } from './caller.ts';
import type { HeldMoney } from './money-budget.ts';
import { PriceList } from './price-list.ts';
import { RequestMeter } from './request-meter.ts';
import type { Reservation } from './token-budget.ts';

let history: string[];
let usage: FakeUsageRecorder;
beforeEach(() => {
  history = [];
  usage = new FakeUsageRecorder();
});

const reservation: Reservation = {
  settle: (tokens) => {
    history.push(`settled ${tokens}`);
    return { day: '2026-01-01', tokens: 100 + tokens };
  },
  release: () => history.push('released'),
};

const subject = { kind: 'money', stackId: 'shop', day: '2026-01-01' } as const;
const heldMoney: HeldMoney = {
  settle: (micros) => {
    history.push(`settled ${micros}`);
    return [{ subject, micros: 7_000 + micros }];
  },
  release: () => history.push('released'),
};
const prices = new PriceList({
  currency: 'EUR',
  models: {
    tiny: { input: 2, cachedInput: 0.5, output: 4, image: 0 },
    flux: { input: 0, output: 0, image: 0.01 },
  },
});

/** A meter of a caller with a budget of money, and the amounts that are asked for. */
function meterOnMoney(refusals: Error[] = []): { readonly meter: RequestMeter; readonly asked: number[] } {
  const asked: number[] = [];
  const money = {
    reserve: (_caller: Caller, micros: number) => {
      asked.push(micros);
      const refusal = refusals.shift();
      return refusal === undefined ? heldMoney : Promise.reject(refusal);
    },
  };
  const caller = makeCaller({ budgets: [{ scope: 'stack', hardMicros: 1 }] });
  const metering = { budget: { reserve: () => undefined }, usage, prices, money };
  return { meter: new RequestMeter(metering, caller, '/x'), asked };
}

function meterOn(reserve: () => Reservation | undefined | Promise<Reservation | undefined>): RequestMeter {
  return new RequestMeter({ budget: { reserve }, usage }, makeCaller(), '/v1/chat/completions');
}

describe('a meter', () => {
  it('records what was used, once', () => {
    const meter = new RequestMeter(
      { budget: { reserve: () => undefined }, usage },
      makeCaller(),
      '/v1/models',
    );
    meter.add({ promptTokens: 3, pages: 1 });
    meter.add({ promptTokens: 4, completionTokens: 5, images: 1, pdfPages: 2 });
    meter.servedBy('tiny');
    expect(meter.reserveTokens(10)).toBeUndefined();
    meter.close('ok', 12);
    meter.close('server', 13);
    expect(usage.ended).toHaveLength(1);
    expect(usage.ended[0]).toMatchObject({
      endpoint: '/v1/models',
      model: 'tiny',
      outcome: 'ok',
      latencyMs: 12,
      promptTokens: 7,
      completionTokens: 5,
      pages: 1,
      images: 1,
      pdfPages: 2,
    });
  });

  it('takes tokens once, and settles them with what was used', () => {
    let asked = 0;
    const meter = meterOn(() => {
      asked++;
      return reservation;
    });
    meter.reserveTokens(10);
    meter.reserveTokens(10);
    meter.add({ promptTokens: 3, completionTokens: 4 });
    meter.close('ok', 1);
    meter.close('ok', 1);
    expect([asked, history]).toEqual([1, ['settled 7']]);
  });

  it('releases tokens if none were used', async () => {
    const meter = meterOn(async () => reservation);
    await meter.reserveTokens(10);
    meter.close('server', 1);
    expect(history).toEqual(['released']);
  });

  it('releases tokens granted after the request had ended', async () => {
    let grant: (granted: Reservation) => void = () => {};
    const meter = meterOn(
      () =>
        new Promise((resolve) => {
          grant = resolve;
        }),
    );
    const reserved = meter.reserveTokens(10);
    meter.close('gone', 1);
    expect(history).toEqual([]);
    grant(reservation);
    await reserved;
    expect(history).toEqual(['released']);
  });

  it('records a request whose tokens were refused', async () => {
    const meter = meterOn(() => Promise.reject(new Error('spent')));
    await expect(meter.reserveTokens(10)).rejects.toThrow('spent');
    meter.close('limit', 1);
    expect([usage.ended.length, history]).toEqual([1, []]);
  });

  it('counts the cost of each model, and one reservation of money pays for all', async () => {
    const { meter, asked } = meterOnMoney();
    meter.servedBy('tiny');
    await meter.reserveTokens(100);
    meter.add({ promptTokens: 10, cachedTokens: 4, completionTokens: 5 });
    meter.servedBy('flux');
    await meter.reserveImages(1);
    meter.add({ images: 1 });
    meter.servedBy('free');
    meter.add({ promptTokens: 1_000 });
    meter.close('ok', 1);
    expect(asked).toEqual([400, 10_000]);
    expect(history).toEqual(['settled 10034', 'released']);
    expect(usage.ended[0]).toMatchObject({
      costMicros: 10_034,
      settledMoney: [{ subject, micros: 17_034 }],
    });
  });

  it('asks again after a refusal, which lets nothing through', async () => {
    const { meter, asked } = meterOnMoney([new Error('spent'), new Error('still spent')]);
    meter.servedBy('tiny');
    await expect(meter.reserveTokens(100)).rejects.toThrow('spent');
    await expect(meter.reserveTokens(100)).rejects.toThrow('still spent');
    await meter.reserveTokens(100);
    await meter.reserveTokens(100);
    expect(asked).toEqual([400, 400, 400]);
  });

  it('refuses parts of a request that ask at the same time together, and serves them by one reservation', async () => {
    const { meter, asked } = meterOnMoney([new Error('spent')]);
    meter.servedBy('tiny');
    const both = await Promise.allSettled([meter.reserveTokens(100), meter.reserveTokens(100)]);
    expect([both.map(({ status }) => status), asked]).toEqual([['rejected', 'rejected'], [400]]);
    await Promise.all([meter.reserveTokens(100), meter.reserveTokens(100)]);
    expect(asked).toEqual([400, 400]);
  });

  it('reserves and settles the price of a model that takes over from one without', async () => {
    const { meter, asked } = meterOnMoney();
    meter.servedBy('free');
    await meter.reserveTokens(100);
    meter.servedBy('tiny');
    await meter.reserveTokens(100);
    meter.add({ promptTokens: 10 });
    meter.close('ok', 1);
    expect([asked, history]).toEqual([[400], ['settled 20']]);
  });

  it('releases money that nothing was spent of', async () => {
    const { meter } = meterOnMoney();
    meter.servedBy('tiny');
    await meter.reserveTokens(100);
    meter.close('server', 1);
    expect([history, usage.ended[0]?.settledMoney]).toEqual([['released'], undefined]);
  });
});
