import { describe, expect, it } from 'vitest';
import { TooManyWaiting } from '../../../supervision/child-lost.ts';
import { Places } from './places.ts';

const never = new AbortController().signal;

describe('places', () => {
  it('are given in the order of asking', async () => {
    const places = new Places({ places: 1, maxWaiting: 2 });
    const order: string[] = [];
    const first = await places.take(never);
    const second = places.take(never).then((place) => {
      order.push('second');
      return place;
    });
    const third = places.take(never).then((place) => {
      order.push('third');
      return place;
    });
    expect(places.waiting).toBe(2);
    first.giveBack();
    first.giveBack();
    (await second).giveBack();
    (await third).giveBack();
    expect(order).toEqual(['second', 'third']);
    expect(places.waiting).toBe(0);
  });

  it('refuse at once whom the line has no room for', async () => {
    const places = new Places({ places: 1, maxWaiting: 1 });
    const taken = await places.take(never);
    const waiting = places.take(never);
    expect(() => places.take(never)).toThrow(TooManyWaiting);
    taken.giveBack();
    (await waiting).giveBack();
    (await places.take(never)).giveBack();
  });

  it('are not given to one who left', async () => {
    const places = new Places({ places: 1, maxWaiting: 5 });
    const taken = await places.take(never);
    const leaving = new AbortController();
    const left = places.take(leaving.signal);
    const next = places.take(never);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(places.waiting).toBe(1);
    taken.giveBack();
    (await next).giveBack();
    expect(() => places.take(AbortSignal.abort(new Error('gone before')))).toThrow('gone before');
  });
});
