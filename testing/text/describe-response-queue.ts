import { beforeEach, describe, expect, it } from 'vitest';
import {
  MOST_RUNNING_PER_STACK,
  MOST_UNFINISHED_PER_STACK,
  type ResponseJob,
  ResponseJobLost,
  type ResponseQueue,
} from '../../src/text/responses/response-queue.ts';
import type { ResponseStore } from '../../src/text/responses/response-store.ts';
import { writtenResponse } from '../../src/text/wire/responses/response-object.ts';
import { newResponse } from './describe-response-store.ts';
import { readResponse } from './memory-responses.ts';

export interface QueueUnderTest {
  readonly store: ResponseStore;
  readonly queue: ResponseQueue;
  /** Ends all leases, as if their processes were gone. */
  endLeases(): void | Promise<void>;
}

const LARGE = 'x'.repeat(70_000);

/** Contract of every queue of background responses; `make` gives an empty one with the stacks `shop` and `other`. */
export function describeResponseQueue(name: string, make: () => Promise<QueueUnderTest>): void {
  describe(`${name} as a queue`, () => {
    let store: ResponseStore;
    let queue: ResponseQueue;
    let endLeases: QueueUnderTest['endLeases'];
    beforeEach(async () => {
      const made = await make();
      ({ store, queue } = made);
      endLeases = () => made.endLeases();
    });

    const add = async (
      id: string,
      { stackId = 'shop', tools = LARGE, events = undefined as readonly string[] | undefined } = {},
    ) => {
      const made = newResponse(id);
      const queued = { ...readResponse(made.response), status: 'queued', background: true, output: [] };
      const response = writtenResponse(queued);
      const owner = { ...made.owner, stackId };
      await queue.add({ response: { ...made, owner, response }, request: { tools }, events });
    };
    const take = async (): Promise<ResponseJob> => {
      const job = await queue.take();
      if (job === undefined) throw new Error('there is no job');
      return job;
    };
    const done = (id: string, text?: string) =>
      readResponse(newResponse(id, text === undefined ? {} : { text }).response);
    const statusOf = async (id: string) => (await store.find('shop', `resp_${id}`))?.status;

    it('gives out a request, and stores its response', async () => {
      await add('a');
      expect(await statusOf('a')).toBe('queued');
      const job = await take();
      expect(job).toMatchObject({
        responseId: 'resp_a',
        stackId: 'shop',
        keyId: 'web',
        attempts: 1,
        streams: false,
        events: 0,
        body: { tools: LARGE, input: newResponse('a').input },
        queued: { id: 'resp_a', status: 'queued', output: [] },
      });
      expect([await statusOf('a'), await queue.take()]).toEqual(['in_progress', undefined]);
      await queue.finish(job, 0, { response: done('a', LARGE), events: [], conversation: undefined });
      expect(await store.find('shop', 'resp_a')).toEqual(done('a', LARGE));
      expect((await store.findItems('shop', ['msg_a_0'])).size).toBe(1);
      const chain = await store.readChain('shop', 'resp_a', { responses: 1, bytes: 1_000_000 });
      expect(chain).toMatchObject({ kind: 'whole' });
      await expect(queue.renew(job)).rejects.toThrow(ResponseJobLost);
    });

    it('gives a job to one process at a time, and to another when its lease ends', async () => {
      await add('a');
      const first = await take();
      await queue.renew(first);
      await endLeases();
      const second = await take();
      expect(second.attempts).toBe(2);
      await expect(queue.renew(first)).rejects.toThrow(ResponseJobLost);
      await expect(queue.addEvents(first, 0, ['x'])).rejects.toThrow(ResponseJobLost);
      const finished = { response: done('a'), events: [], conversation: undefined };
      await expect(queue.finish(first, 0, finished)).rejects.toThrow(ResponseJobLost);
      await queue.giveBack(second);
      expect(await statusOf('a')).toBe('queued');
      expect((await take()).attempts).toBe(2);
    });

    it('gives a stack a bounded number of running jobs, and others theirs', async () => {
      for (let index = 0; index <= MOST_RUNNING_PER_STACK; index++) await add(`a${index}`);
      await add('b', { stackId: 'other' });
      const jobs = await Promise.all(Array.from({ length: MOST_RUNNING_PER_STACK + 1 }, take));
      expect(jobs.map(({ stackId }) => stackId).toSorted()).toEqual([
        'other',
        ...Array.from({ length: MOST_RUNNING_PER_STACK }, () => 'shop'),
      ]);
      expect(await queue.take()).toBeUndefined();
      const [own] = jobs.filter(({ stackId }) => stackId === 'shop');
      if (own !== undefined) await queue.giveBack(own);
      expect(await queue.take()).toBeDefined();
    });

    it('refuses a stack that has too many', async () => {
      for (let index = 0; index < MOST_UNFINISHED_PER_STACK; index++) await add(`a${index}`, { tools: '' });
      await expect(add('more')).rejects.toMatchObject({ code: 'too-many-background-responses' });
      await add('b', { stackId: 'other' });
    });

    it('stores events in order, and gives out those after a number', async () => {
      await add('a', { events: ['0', '1'] });
      const job = await take();
      expect(job).toMatchObject({ streams: true, events: 2 });
      await queue.addEvents(job, 2, ['2', '3']);
      expect(await queue.readEvents('shop', 'resp_a', 1)).toEqual({
        hasEvents: true,
        hasEnded: false,
        events: ['2', '3'],
      });
      await queue.finish(job, 4, { response: done('a'), events: ['4'], conversation: undefined });
      expect(await queue.readEvents('shop', 'resp_a', 3)).toEqual({
        hasEvents: true,
        hasEnded: true,
        events: ['4'],
      });
      expect(await queue.readEvents('shop', 'resp_a', 4)).toMatchObject({ events: [], hasEvents: true });
      expect(await queue.readEvents('other', 'resp_a', 0)).toBeUndefined();
    });

    it('cancels what has not ended, and ends its events', async () => {
      await add('a', { events: ['0', '1'] });
      const job = await take();
      expect(await queue.cancel('other', 'resp_a', String)).toBe(false);
      expect(await queue.cancel('shop', 'resp_a', (sequence) => `end ${sequence}`)).toBe(true);
      expect(await statusOf('a')).toBe('cancelled');
      await expect(queue.addEvents(job, 2, ['2'])).rejects.toThrow(ResponseJobLost);
      expect(await queue.readEvents('shop', 'resp_a', 1)).toMatchObject({
        events: ['end 2'],
        hasEnded: true,
      });
      expect(await queue.cancel('shop', 'resp_a', String)).toBe(false);
      await add('b');
      expect(await queue.cancel('shop', 'resp_b', String)).toBe(true);
      expect(await queue.readEvents('shop', 'resp_b', -1)).toMatchObject({ events: [], hasEvents: false });
      expect(await queue.take()).toBeUndefined();
    });

    it('forgets the job of a deleted response', async () => {
      await add('a');
      const job = await take();
      await store.remove('shop', 'resp_a');
      await expect(queue.renew(job)).rejects.toThrow(ResponseJobLost);
      await endLeases();
      expect(await queue.take()).toBeUndefined();
    });
  });
}
