import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeOnDatabase, describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { makeCaller } from '../../testing/fake-callers.ts';
import {
  ImageQueueWorld,
  type QueuedRequest,
  type QueueProcess,
} from '../../testing/images/image-queue-world.ts';

const HISTORIES = 200;
const HISTORIES_ON_EACH = 20;
const PROCESSES = 3;
const LEASE_MS = 15_000;

type Step =
  | { readonly kind: 'arrive'; readonly process: number; readonly stack: number }
  | { readonly kind: 'leave' | 'finish'; readonly request: number }
  | { readonly kind: 'kill'; readonly process: number }
  | { readonly kind: 'pass'; readonly durationMs: number };

const number = fc.nat(30);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('arrive' as const), process: number, stack: fc.nat(1) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), request: number }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('finish' as const), request: number }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), process: number }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      durationMs: fc.constantFrom(200, 1_000, 16_000),
    }),
  },
);
const history = fc.array(step, { maxLength: 12, size: 'max' });

describeOnDatabase('the image queue in random histories', (database) => {
  it(`keeps its promises in ${HISTORIES} of them`, () =>
    fc.assert(
      fc.asyncProperty(history, (steps) => new History(new ImageQueueWorld(database().pool)).play(steps)),
      { numRuns: HISTORIES },
    ));
});

describeOnDatabases('the image queue in random histories', (database) => {
  it(`keeps its promises in ${HISTORIES_ON_EACH} of them`, () =>
    fc.assert(
      fc.asyncProperty(history, (steps) => new History(new ImageQueueWorld(database().pool)).play(steps)),
      { numRuns: HISTORIES_ON_EACH },
    ));
});

class History {
  readonly #world: ImageQueueWorld;
  readonly #processes: QueueProcess[];
  readonly #requests: QueuedRequest[] = [];
  /** Slots in the order in which they began to render. */
  readonly #rendered = new Set<QueuedRequest>();

  constructor(world: ImageQueueWorld) {
    this.#world = world;
    this.#processes = Array.from({ length: PROCESSES }, () => world.start());
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const each of steps) {
      await this.#take(each);
      await this.#world.settle();
      await this.#check();
    }
    await this.#end();
  }

  async #take(each: Step): Promise<void> {
    switch (each.kind) {
      case 'arrive': {
        const caller = makeCaller({ stack: { id: `stack-${each.stack}` } });
        this.#requests.push(this.#world.arrive(this.#process(each.process), caller));
        return;
      }
      case 'leave':
      case 'finish': {
        const living = this.#living();
        const request = living[each.request % Math.max(living.length, 1)];
        if (request === undefined) return;
        if (each.kind === 'leave') return await this.#world.leave(request);
        if (request.state === 'rendering') await this.#world.finish(request);
        return;
      }
      case 'kill':
        this.#world.kill(this.#process(each.process));
        this.#processes[each.process % PROCESSES] = this.#world.start();
        return;
      case 'pass':
        return await this.#world.pass(each.durationMs);
    }
  }

  #process(number: number): QueueProcess {
    const process = this.#processes[number % PROCESSES];
    if (process === undefined) throw new Error('there are as many processes as are counted');
    return process;
  }

  /** Requests of living processes that have a slot. */
  #living(): readonly QueuedRequest[] {
    return this.#requests.filter(
      ({ process, state }) => this.#world.isAlive(process) && (state === 'waiting' || state === 'rendering'),
    );
  }

  async #check(): Promise<void> {
    const slots = await this.#world.slots();
    for (const stackId of ['stack-0', 'stack-1']) {
      const own = slots.filter(({ stack }) => stack === stackId);
      expect(own.length).toBeLessThanOrEqual(3);
      expect(own.filter(({ rendering }) => rendering).length).toBeLessThanOrEqual(1);
      this.#checkQueue(stackId);
    }
    const submissions = await this.#world.submissions();
    expect(submissions).toBeLessThanOrEqual(2 * 10);
    expect(slots.length).toBeGreaterThanOrEqual(this.#living().length);
  }

  #checkQueue(stackId: string): void {
    const living = this.#living().filter((request) => request.stackId === stackId);
    const rendering = living.filter(({ state }) => state === 'rendering');
    expect(rendering.length).toBeLessThanOrEqual(1);
    for (const request of rendering) {
      expect(request.permit?.lost.aborted).toBe(false);
      if (this.#rendered.has(request)) continue;
      this.#rendered.add(request);
      const overtaken = living.filter(({ state, turn }) => state === 'waiting' && turn < request.turn);
      expect(overtaken).toEqual([]);
    }
  }

  /** Every request of a living process is served in the end, and no row stays. */
  async #end(): Promise<void> {
    await this.#world.pass(LEASE_MS + 1_000);
    for (let living = this.#living(); living.length > 0; living = this.#living()) {
      const rendering = living.filter(({ state }) => state === 'rendering');
      expect(rendering.length).toBeGreaterThan(0);
      for (const request of rendering) await this.#world.finish(request);
      await this.#world.pass(200);
      await this.#check();
    }
    for (const process of this.#processes) {
      expect([process.queue.slotsHeld, process.clock.pending]).toEqual([0, 0]);
    }
    await this.#world.skip(60_000);
    await this.#leftoversOfKilled();
    expect([await this.#world.slots(), await this.#world.submissions()]).toEqual([[], 2]);
    await this.#world.skip(60_000);
  }

  /** The next submission removes the slots of killed processes from an unused queue. */
  async #leftoversOfKilled(): Promise<void> {
    for (const id of ['stack-0', 'stack-1']) {
      const next = this.#world.arrive(this.#process(0), makeCaller({ stack: { id } }));
      await this.#world.settle();
      expect(next.state).toBe('rendering');
      await this.#world.finish(next);
    }
    await this.#world.settle();
  }
}
