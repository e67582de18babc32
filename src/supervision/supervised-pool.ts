import type { RequestOptions } from './child-call.ts';
import { ChildLost, TooManyWaiting } from './child-lost.ts';
import { FairQueue, type FairQueueOptions, type QueuePermit } from './fair-queue.ts';
import type { EngineState, Lifecycle } from './lifecycle.ts';
import { GATEWAY_STACK } from './round-robin-queue.ts';
import type { Supervised } from './supervised.ts';

export interface SupervisedPoolOptions extends Omit<FairQueueOptions, 'capacity' | 'refusal'> {
  readonly name: string;
  /** One request at a time each. */
  readonly members: readonly Supervised[];
  /** So many free children are started in advance, and kept, while requests come; absent: none. */
  readonly spares?: number;
}

/**
 * Several identical children. A request goes to the first free one, so a hanging child blocks no others; waiting requests take
 * turns among stacks. Children are started on demand.
 */
export class SupervisedPool implements Lifecycle {
  readonly #options: SupervisedPoolOptions;
  readonly #free: Supervised[];
  readonly #queue: FairQueue;
  readonly #unending = new AbortController().signal;
  /** Spares that were asked to start and did not yet. */
  readonly #starting = new Set<Supervised>();

  constructor(options: SupervisedPoolOptions) {
    this.#options = options;
    this.#free = [...options.members];
    const { name, members, spares: _, ...bounds } = options;
    const refusal = (message: string) => new TooManyWaiting(`${name}: ${message}`);
    this.#queue = new FairQueue({ ...bounds, capacity: members.length, refusal });
  }

  get size(): number {
    return this.#options.members.length;
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  get state(): EngineState {
    const states = this.#options.members.map(({ state }) => state);
    const order: readonly EngineState[] = ['ready', 'starting', 'degraded'];
    return order.find((state) => states.includes(state)) ?? 'paused';
  }

  ready(signal: AbortSignal): Promise<void> {
    const member = this.#options.members.find(({ state }) => state === 'ready') ?? this.#options.members[0];
    return member ? member.ready(signal) : Promise.reject(this.#stopped());
  }

  /** Requests being handled by a child. */
  get running(): number {
    return this.#queue.running;
  }

  /** Asks a free child for one answer. */
  async ask(payload: unknown, options: RequestOptions): Promise<unknown> {
    using _permit = await this.#take(options);
    using member = this.#borrow();
    return await member.child.ask(payload, options);
  }

  /** Asks a free child for a stream. */
  async *stream(payload: unknown, options: RequestOptions): AsyncGenerator<readonly unknown[], unknown> {
    using _permit = await this.#take(options);
    using member = this.#borrow();
    return yield* member.child.stream(payload, options);
  }

  /** Rejects waiting requests and stops every child, like `Supervised.stop`. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#queue.close(this.#stopped());
    await Promise.all(this.#options.members.map((member) => member.stop(signal)));
  }

  #take({ stackId = GATEWAY_STACK, signal, span }: RequestOptions): QueuePermit | Promise<QueuePermit> {
    return this.#queue.take(stackId, signal, span);
  }

  /** A child for the holder of a permit: there are as many slots as children. */
  #borrow(): Disposable & { readonly child: Supervised } {
    const child = this.#takeFree();
    if (child === undefined) throw new Error(`no ${this.#options.name} is free`);
    this.#keepSpares();
    return { child, [Symbol.dispose]: () => void this.#free.push(child) };
  }

  // Prefers a running child to one that must start, and the one that worked last: the memory of large work stays in few children.
  #takeFree(): Supervised | undefined {
    const running = this.#free.findLastIndex(({ state }) => state === 'ready');
    const [member] = this.#free.splice(Math.max(0, running), 1);
    return member;
  }

  /** Starts spares, and makes those that are there stay. */
  #keepSpares(): void {
    const isThere = ({ state }: Supervised) => state === 'ready' || state === 'starting';
    const there = this.#free.filter(isThere);
    const others = this.#free.filter((child) => !isThere(child));
    for (const spare of [...there, ...others].slice(0, this.#options.spares ?? 0)) {
      // Else each request that comes meanwhile would wait for it too.
      if (this.#starting.has(spare)) continue;
      this.#starting.add(spare);
      const isDone = () => void this.#starting.delete(spare);
      // A spare that fails to start is reported to the next request that needs it.
      spare.ready(this.#unending).then(isDone, isDone);
    }
  }

  #stopped(): ChildLost {
    return new ChildLost({ child: this.#options.name, reason: 'stopped', started: false });
  }
}
