import type { RequestOptions } from './child-call.ts';
import { ChildLost, TooManyWaiting } from './child-lost.ts';
import { FairQueue, type FairQueueOptions } from './fair-queue.ts';
import type { EngineState, Lifecycle } from './lifecycle.ts';
import { GATEWAY_STACK } from './round-robin-queue.ts';
import type { Supervised } from './supervised.ts';

/** What a pool is made of. */
export interface SupervisedPoolOptions extends Omit<FairQueueOptions, 'capacity' | 'refusal'> {
  readonly name: string;
  /** Each is given one request at a time. */
  readonly members: readonly Supervised[];
  /** While any child works, another one is started, so that who comes next finds it ready. */
  readonly keepsSpare?: boolean;
}

/**
 * Several children that do the same. A request goes to whichever is free first, so that one that hangs holds up
 * nobody else; those that wait take turns among stacks. Children that are not needed are not started.
 */
export class SupervisedPool implements Lifecycle {
  readonly #options: SupervisedPoolOptions;
  readonly #free: Supervised[];
  readonly #queue: FairQueue;
  readonly #unending = new AbortController().signal;

  constructor(options: SupervisedPoolOptions) {
    this.#options = options;
    this.#free = [...options.members];
    const { name, members, keepsSpare: _, ...bounds } = options;
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

  /** How many requests are with a child. */
  get running(): number {
    return this.#queue.running;
  }

  /** Asks whichever child is free for one answer. */
  async ask(payload: unknown, options: RequestOptions): Promise<unknown> {
    using _place = await this.#queue.take(options.stackId ?? GATEWAY_STACK, options.signal);
    using member = this.#borrow();
    return await member.child.ask(payload, options);
  }

  /** Asks whichever child is free for a stream. */
  async *stream(payload: unknown, options: RequestOptions): AsyncGenerator<readonly unknown[], unknown> {
    using _place = await this.#queue.take(options.stackId ?? GATEWAY_STACK, options.signal);
    using member = this.#borrow();
    return yield* member.child.stream(payload, options);
  }

  /** Refuses what waits and ends every child, as `Supervised.stop` does. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#queue.close(this.#stopped());
    await Promise.all(this.#options.members.map((member) => member.stop(signal)));
  }

  /** A child for as long as a place is held: there are as many places as children. */
  #borrow(): Disposable & { readonly child: Supervised } {
    const child = this.#takeFree();
    if (child === undefined) throw new Error(`no ${this.#options.name} is free`);
    if (this.#options.keepsSpare) this.#startSpare();
    return { child, [Symbol.dispose]: () => void this.#free.push(child) };
  }

  // One that runs comes before one that would have to start.
  #takeFree(): Supervised | undefined {
    const running = this.#free.findIndex(({ state }) => state === 'ready');
    const [member] = this.#free.splice(Math.max(0, running), 1);
    return member;
  }

  #startSpare(): void {
    const isThere = this.#free.some(({ state }) => state === 'ready' || state === 'starting');
    // A spare that cannot start is told to whoever needs it.
    if (!isThere) this.#free[0]?.ready(this.#unending).catch(() => {});
  }

  #stopped(): ChildLost {
    return new ChildLost({ child: this.#options.name, reason: 'stopped', started: false });
  }
}
