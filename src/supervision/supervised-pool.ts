import { ChildLost, TooManyWaiting } from './child-lost.ts';
import type { RequestOptions } from './exchange.ts';
import type { EngineState, Lifecycle } from './lifecycle.ts';
import type { Supervised } from './supervised.ts';

/** What a pool is made of. */
export interface SupervisedPoolOptions {
  readonly name: string;
  /** Each is given one request at a time. */
  readonly members: readonly Supervised[];
  readonly maxWaiting: number;
}

interface Waiter {
  readonly take: (member: Supervised) => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * Several children that do the same. A request goes to whichever is free first, so that one that hangs holds up
 * nobody else; children that are not needed are not started.
 */
export class SupervisedPool implements Lifecycle {
  readonly #options: SupervisedPoolOptions;
  readonly #free: Supervised[];
  readonly #line = new Set<Waiter>();
  #isStopped = false;

  constructor(options: SupervisedPoolOptions) {
    this.#options = options;
    this.#free = [...options.members];
  }

  get size(): number {
    return this.#options.members.length;
  }

  get waiting(): number {
    return this.#line.size;
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

  /** Asks whichever child is free for one answer. */
  async ask(payload: unknown, options: RequestOptions): Promise<unknown> {
    const member = await this.#take(options.signal);
    try {
      return await member.ask(payload, options);
    } finally {
      this.#giveBack(member);
    }
  }

  /** Asks whichever child is free for a stream. */
  async *stream(payload: unknown, options: RequestOptions): AsyncGenerator<readonly unknown[], unknown> {
    const member = await this.#take(options.signal);
    try {
      return yield* member.stream(payload, options);
    } finally {
      this.#giveBack(member);
    }
  }

  /** Refuses what waits and ends every child, as `Supervised.stop` does. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#isStopped = true;
    for (const waiter of [...this.#line]) waiter.refuse(this.#stopped());
    await Promise.all(this.#options.members.map((member) => member.stop(signal)));
  }

  #take(signal: AbortSignal): Promise<Supervised> {
    signal.throwIfAborted();
    if (this.#isStopped) throw this.#stopped();
    const member = this.#takeFree();
    if (member) return Promise.resolve(member);
    if (this.#line.size >= this.#options.maxWaiting) {
      throw new TooManyWaiting(`${this.#options.maxWaiting} requests wait for ${this.#options.name}`);
    }
    return this.#wait(signal);
  }

  // One that runs comes before one that would have to start.
  #takeFree(): Supervised | undefined {
    const running = this.#free.findIndex(({ state }) => state === 'ready');
    const [member] = this.#free.splice(Math.max(0, running), 1);
    return member;
  }

  #wait(signal: AbortSignal): Promise<Supervised> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#line.delete(waiter);
        signal.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        take(member) {
          leave();
          resolve(member);
        },
        refuse(error) {
          leave();
          reject(error);
        },
      };
      const onAbort = () => waiter.refuse(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#line.add(waiter);
    });
  }

  #giveBack(member: Supervised): void {
    const [waiter] = this.#line;
    if (waiter) waiter.take(member);
    else this.#free.push(member);
  }

  #stopped(): ChildLost {
    return new ChildLost({ child: this.#options.name, reason: 'stopped', started: false });
  }
}
