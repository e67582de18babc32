import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../faults/fault.ts';
import type { EndedSpan } from '../telemetry/request-trace.ts';
import { Tracer } from '../telemetry/tracer.ts';
import { TooManyWaiting } from './child-lost.ts';
import { FairQueue, type FairQueueOptions, type QueuePermit } from './fair-queue.ts';

const never = new AbortController().signal;
setMaxListeners(0, never);

/** A queue whose jobs end on command; grants are recorded in order. */
class Hall {
  readonly queue: FairQueue;
  readonly granted: string[] = [];
  readonly #permits = new Map<string, QueuePermit>();

  constructor(options: Partial<FairQueueOptions> = {}) {
    this.queue = new FairQueue({ capacity: 1, maxWaiting: 1_000, ...options });
  }

  /** Jobs are named after their stack and a number: `a1`. */
  ask(...names: readonly string[]): void {
    for (const name of names) {
      const permit = this.queue.take(name.charAt(0), never);
      if (permit instanceof Promise) void permit.then((given) => this.#grant(name, given));
      else this.#grant(name, permit);
    }
  }

  async end(...names: readonly string[]): Promise<void> {
    for (const name of names) this.#permits.get(name)?.[Symbol.dispose]();
    await Promise.resolve();
  }

  async endAll(): Promise<void> {
    for (const name of this.granted) await this.end(name);
  }

  #grant(name: string, permit: QueuePermit): void {
    this.granted.push(name);
    this.#permits.set(name, permit);
  }
}

describe('slots of a fair queue', () => {
  it('are given at once if one is free, else in turns among stacks and in order within one', async () => {
    const hall = new Hall();
    hall.ask('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2');
    expect([hall.granted, hall.queue.running, hall.queue.waiting]).toEqual([['a1'], 1, 6]);
    await hall.endAll();
    expect(hall.granted).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
    expect([hall.queue.running, hall.queue.waiting, hall.queue.stacks]).toEqual([0, 0, 0]);
  });

  it('go to a stack once while others wait, and all of them to a stack that is alone', async () => {
    const hall = new Hall({ capacity: 3, runningPerStack: 1 });
    hall.ask('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');
    expect(hall.granted).toEqual(['a1', 'a2', 'a3']);
    await hall.end('a1', 'a2');
    expect(hall.granted.slice(3)).toEqual(['b1', 'c1']);
    // Both a and b wait and have one each: the free slot is kept for other stacks.
    await hall.end('c1');
    expect([hall.granted.length, hall.queue.running]).toEqual([5, 2]);
    hall.ask('d1');
    expect(hall.granted.slice(5)).toEqual(['d1']);
    await hall.end('b1', 'd1');
    expect(hall.granted.slice(6)).toEqual(['b2', 'a4']);
  });

  it('are never all taken by one stack if that is bounded', async () => {
    const hall = new Hall({ capacity: 3, runningPerStack: 1, runningAlone: 2 });
    hall.ask('a1', 'a2', 'a3');
    expect(hall.granted).toEqual(['a1', 'a2']);
    hall.ask('b1');
    expect(hall.granted).toEqual(['a1', 'a2', 'b1']);
  });

  it('are kept for others while those are at work elsewhere, and given with the next that is free once they are not', async () => {
    const others = new Set(['a']);
    const besideOthers = { running: 2, hasOthers: (stackId: string) => others.has(stackId) };
    const hall = new Hall({ capacity: 3, runningPerStack: 1, besideOthers });
    hall.ask('a1', 'a2', 'a3', 'a4', 'a5');
    expect(hall.granted).toEqual(['a1', 'a2']);
    hall.ask('b1');
    expect(hall.granted).toEqual(['a1', 'a2', 'b1']);
    await hall.end('b1');
    expect(hall.granted).toHaveLength(3);
    others.clear();
    await hall.end('a1');
    expect([hall.granted.slice(3), hall.queue.running]).toEqual([['a3', 'a4'], 3]);
  });

  it('are given to a stack that is alone again because the others left', async () => {
    const { queue } = new Hall({ capacity: 2, runningPerStack: 1 });
    const leaving = new AbortController();
    const permits = [queue.take('a', never), queue.take('b', never)];
    const left = queue.take('b', leaving.signal);
    const second = queue.take('a', never);
    for (const permit of permits.slice(1)) (await permit)[Symbol.dispose]();
    (await left)[Symbol.dispose]();
    expect(await second).toBeDefined();
    const other = queue.take('b', leaving.signal);
    leaving.abort(new Error('gone'));
    await expect(other).rejects.toThrow('gone');
    expect([queue.running, queue.waiting]).toEqual([2, 0]);
  });

  it("bound the waiting jobs in total and per stack, with the owner's error", () => {
    const bounds = { maxWaiting: 3, maxWaitingPerStack: 2 };
    const hall = new Hall(bounds);
    hall.ask('a1', 'a2', 'a3');
    expect(() => hall.ask('a4')).toThrow(TooManyWaiting);
    hall.ask('b1');
    expect(() => hall.ask('c1')).toThrow('3 requests are waiting');
    const told = new Hall({ maxWaiting: 0, refusal: (why) => new Fault('model-not-ready', why) });
    told.ask('a1');
    expect(() => told.ask('b1')).toThrow(Fault);
    expect([hall.queue.waiting, told.queue.waiting]).toEqual([3, 0]);
  });

  it('are refused to waiting and later jobs once it is closed', async () => {
    const { queue } = new Hall();
    const running = await queue.take('a', never);
    const waits = queue.take('b', never);
    queue.close(new Error('closing time'));
    await expect(waits).rejects.toThrow('closing time');
    expect(() => queue.take('a', never)).toThrow('closing time');
    running[Symbol.dispose]();
    expect([queue.running, queue.waiting, queue.stacks]).toEqual([0, 0, 0]);
  });

  it('are released by a job however it ends', async () => {
    const { queue } = new Hall();
    await expect(queue.run('a', never, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await queue.run('a', never, () => 7)).toBe(7);
    expect(() => queue.take('a', AbortSignal.abort(new Error('gone')))).toThrow('gone');
    expect(queue.running).toBe(0);
  });
});

type Step =
  | { readonly do: 'take'; readonly stack: string }
  | { readonly do: 'leave' | 'end' | 'end-again'; readonly job: number };

interface Job {
  readonly stack: string;
  readonly leaving: AbortController;
  /** How many of its own stack waited before it, and how often each other stack was served since. */
  ownBefore: number;
  readonly served: Map<string, number>;
  state: 'waiting' | 'running' | 'over';
  permit: QueuePermit | undefined;
}

/** Takes random steps and checks the guarantees after each. */
async function live(steps: readonly Step[], options: FairQueueOptions): Promise<FairQueue> {
  const queue = new FairQueue(options);
  const jobs: Job[] = [];
  const inState = (state: Job['state']) => jobs.filter((job) => job.state === state);
  const granted = (job: Job, permit: QueuePermit) => {
    expect(job.state).toBe('waiting');
    job.state = 'running';
    job.permit = permit;
    for (const times of job.served.values()) expect(times).toBeLessThanOrEqual(job.ownBefore + 1);
    for (const other of inState('waiting')) {
      if (other.stack !== job.stack) other.served.set(job.stack, (other.served.get(job.stack) ?? 0) + 1);
    }
  };
  const take = (stack: string) => {
    const ownBefore = inState('waiting').filter((job) => job.stack === stack).length;
    const leaving = new AbortController();
    const job: Job = { stack, leaving, ownBefore, served: new Map(), state: 'waiting', permit: undefined };
    const permit = queue.take(stack, leaving.signal);
    jobs.push(job);
    if (!(permit instanceof Promise)) granted(job, permit);
    else
      permit.then(
        (given) => granted(job, given),
        () => {
          job.state = 'over';
        },
      );
  };
  for (const step of steps) {
    if (step.do === 'take') take(step.stack);
    else {
      const wanted = { leave: 'waiting', end: 'running', 'end-again': 'over' } as const;
      const candidates = inState(wanted[step.do]);
      const job = candidates[step.job % Math.max(1, candidates.length)];
      if (step.do === 'leave') job?.leaving.abort();
      else job?.permit?.[Symbol.dispose]();
      if (job && step.do === 'end') job.state = 'over';
    }
    await Promise.resolve();
    expect(queue.running).toBe(inState('running').length);
    expect(queue.waiting).toBe(inState('waiting').length);
    expect(queue.running).toBeLessThanOrEqual(options.capacity);
    if (options.runningPerStack === undefined && queue.waiting > 0)
      expect(queue.running).toBe(options.capacity);
  }
  for (const job of jobs) job.leaving.abort();
  await Promise.resolve();
  for (const job of inState('running')) job.permit?.[Symbol.dispose]();
  return queue;
}

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('take' as const), stack: fc.constantFrom(...'abcd') }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom('end' as const, 'end' as const, 'leave' as const, 'end-again' as const),
        job: fc.nat(20),
      }),
    },
  ),
  { maxLength: 60 },
);

describe('a fair queue, whatever happens', () => {
  it('serves each other stack at most once before a job, and once more for each job of its own stack before it', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), async (all, capacity) => {
        const queue = await live(all, { capacity, maxWaiting: 100 });
        expect([queue.running, queue.waiting, queue.stacks]).toEqual([0, 0, 0]);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('loses no slot when stacks are held back', async () => {
    const bounds = fc.record({
      capacity: fc.integer({ min: 1, max: 4 }),
      runningPerStack: fc.constantFrom(1, 2),
    });
    await fc.assert(
      fc.asyncProperty(steps, bounds, async (all, options) => {
        const queue = await live(all, { ...options, maxWaiting: 100 });
        expect([queue.running, queue.waiting, queue.stacks]).toEqual([0, 0, 0]);
      }),
      { numRuns: 200, seed: 2 },
    );
  });
});

describe('the wait for a slot', () => {
  /** A request, and what it has sent. */
  function traced(sampleRatio: number) {
    const spans: EndedSpan[] = [];
    let steadyMs = 0;
    const add = (span: EndedSpan) => void spans.push(span);
    const tracer = new Tracer({ sampleRatio, add, epochMs: () => 1_000, steadyMs: () => steadyMs });
    const request = tracer
      .open(undefined, { method: 'POST', path: '/v1/chat/completions' })
      .start('chat tiny', 'client');
    const pass = (ms: number) => {
      steadyMs += ms;
    };
    return { request, spans, pass };
  }

  it('is a part of the span that it holds up, and a slot that is free is none', async () => {
    const { request, spans, pass } = traced(1);
    const { queue } = new Hall();
    const first = await queue.take('a', never, request);
    expect(spans).toEqual([]);
    const second = queue.take('a', never, request);
    pass(250);
    first[Symbol.dispose]();
    await second;
    expect(spans).toEqual([
      expect.objectContaining({
        name: 'queue',
        kind: 'internal',
        parentSpanId: request.spanId,
        startedMs: 1_000,
        endedMs: 1_250,
      }),
    ]);
  });

  it('ends with a request that leaves, and begins none that is refused', async () => {
    const { request, spans } = traced(1);
    const { queue } = new Hall({ maxWaiting: 1 });
    await queue.take('a', never);
    const leaving = new AbortController();
    const left = queue.take('a', leaving.signal, request);
    expect(() => queue.take('a', never, request)).toThrow(TooManyWaiting);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(spans.length).toBe(1);
  });

  it('is not recorded for a request that is not sampled', async () => {
    const { request, spans } = traced(0);
    const { queue } = new Hall();
    const first = await queue.take('a', never, request);
    const second = queue.take('a', never, request);
    first[Symbol.dispose]();
    await second;
    expect(spans).toEqual([]);
  });
});
