import { type Clock, systemClock, type Timer } from '../lib/clock.ts';
import { Backoff, defaultBackoff } from './backoff.ts';
import { CallQueue } from './call-queue.ts';
import { ChildCall, type RequestOptions } from './child-call.ts';
import { ChildLost, type LossReason } from './child-lost.ts';
import { type ChildLoss, ChildRun, type ChildRunObserver } from './child-run.ts';
import type { EngineState, Lifecycle } from './lifecycle.ts';
import type { SupervisedOptions } from './supervised-options.ts';
import { Waiters } from './waiters.ts';

// Other ends were decided here, often for one request: they say nothing about the child.
const crashReasons: ReadonlySet<LossReason> = new Set<LossReason>(['crashed', 'start-timeout', 'misbehaved']);

/**
 * A child process or worker thread kept alive. It starts on the first `ready` or request and again after every loss. Requests
 * that no child has begun wait through restarts; while degraded, they fail with the next failed start.
 */
export class Supervised implements Lifecycle {
  readonly #options: SupervisedOptions;
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  readonly #line: CallQueue;
  readonly #readyWaiters = new Waiters();
  readonly #endWaiters = new Waiters();
  readonly #runs = new Set<ChildRun>();
  #current: ChildRun | undefined;
  #fresh: ChildRun | undefined;
  #isResting = true;
  #isStopped = false;
  #restartTimer: Timer | undefined;
  #idleTimer: Timer | undefined;

  constructor(options: SupervisedOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#backoff = new Backoff(options.backoff ?? defaultBackoff, options.random ?? Math.random);
    this.#line = new CallQueue(options);
  }

  get state(): EngineState {
    if (this.#isStopped || this.#isResting) return 'paused';
    if (this.#current?.isReady) return 'ready';
    return this.#backoff.isDegraded ? 'degraded' : 'starting';
  }

  async ready(signal: AbortSignal): Promise<void> {
    this.#refuseWhenStopped(signal);
    this.#wake();
    if (!this.#current?.isReady) await this.#readyWaiters.wait(signal);
  }

  /** Asks for one answer. */
  async ask(payload: unknown, options: RequestOptions): Promise<unknown> {
    const step = await this.#open({ payload, options, window: 0 }).batches().next();
    return step.value;
  }

  /** Asks for a stream; nothing is sent before the first read, and leaving the loop cancels it. */
  async *stream(payload: unknown, options: RequestOptions): AsyncGenerator<readonly unknown[], unknown> {
    const call = this.#open({ payload, options, window: this.#options.streamWindow });
    try {
      return yield* call.batches();
    } finally {
      call.abandon(new Error('the reader left'));
    }
  }

  /** Rejects waiting requests, lets running ones finish, and ends the child; aborting the signal kills it. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#isStopped = true;
    this.#restartTimer?.cancel();
    this.#idleTimer?.cancel();
    this.#refuseWaiting(this.#lost('stopped'));
    for (const run of [...this.#runs]) run.retire();
    const kill = () => {
      for (const run of [...this.#runs]) run.kill('stopped');
    };
    if (signal.aborted) kill();
    signal.addEventListener('abort', kill);
    // No signal here: a killed child is known to be gone within a bound.
    if (this.#runs.size > 0) await this.#endWaiters.wait(new AbortController().signal);
    signal.removeEventListener('abort', kill);
  }

  #open(request: { payload: unknown; options: RequestOptions; window: number }): ChildCall {
    this.#refuseWhenStopped(request.options.signal);
    const call = new ChildCall(request);
    try {
      this.#line.add(call);
    } catch (error) {
      call.settle({ error });
      throw error;
    }
    this.#wake();
    this.#line.traceWait(call);
    return call;
  }

  #refuseWhenStopped(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.#isStopped) throw this.#lost('stopped');
  }

  #wake(): void {
    this.#isResting = false;
    this.#reconcile();
  }

  /** Starts and stops children as needed; called after every change. */
  #reconcile(): void {
    if (this.#isStopped) return;
    this.#dispatch();
    const freshStarts = this.#isSpent(this.#current) ? this.#options.recycle?.freshStarts : undefined;
    if (freshStarts === 'after') this.#current?.retire();
    const isChildMissing = this.#current === undefined || freshStarts === 'before';
    if (isChildMissing && !this.#fresh && !this.#restartTimer && !this.#isResting) this.#launch();
    this.#watchIdle();
  }

  #dispatch(): void {
    const { recycle, concurrency } = this.#options;
    while (this.#current?.isReady && this.#current.inFlight < concurrency) {
      if (recycle?.freshStarts === 'after' && this.#isSpent(this.#current)) return;
      const call = this.#line.next();
      if (!call) return;
      this.#current.send(call);
    }
  }

  #isSpent(run: ChildRun | undefined): boolean {
    if (!run) return false;
    const { afterRequests = Infinity, overMemoryBytes = Infinity } = this.#options.recycle ?? {};
    return run.requests >= afterRequests || run.memoryBytes > overMemoryBytes;
  }

  #launch(): void {
    const { name, patience, priority, launch, cpuMsOf } = this.#options;
    const [clock, observer] = [this.#clock, this.#observer];
    const run = new ChildRun({ name, patience, priority, clock, observer, cpuMsOf });
    this.#runs.add(run);
    if (this.#current) this.#fresh = run;
    else this.#current = run;
    run.start(launch);
  }

  #watchIdle(): void {
    this.#idleTimer?.cancel();
    this.#idleTimer = undefined;
    const { idleMs } = this.#options;
    if (idleMs === undefined || !this.#current?.isReady || this.#current.inFlight > 0) return;
    this.#idleTimer = this.#clock.after(idleMs, () => {
      this.#isResting = true;
      for (const run of [...this.#runs]) run.retire();
    });
  }

  readonly #observer: ChildRunObserver = {
    ready: (run) => this.#onReady(run),
    freed: () => this.#reconcile(),
    ended: (run, loss) => this.#onEnded(run, loss),
    line: (line) => this.#options.observe?.({ type: 'child-line', line }),
  };

  #onReady(run: ChildRun): void {
    this.#options.observe?.({ type: 'child-ready' });
    if (run === this.#fresh) {
      this.#current?.retire();
      this.#current = run;
      this.#fresh = undefined;
    }
    this.#readyWaiters.resolveAll();
    this.#reconcile();
  }

  #onEnded(run: ChildRun, loss: ChildLoss): void {
    this.#options.observe?.({ type: 'child-end', loss });
    this.#runs.delete(run);
    if (this.#runs.size === 0) this.#endWaiters.resolveAll();
    if (run === this.#current) this.#current = this.#fresh;
    if (run === this.#fresh || this.#current === this.#fresh) this.#fresh = undefined;
    if (this.#isStopped) return;
    if (crashReasons.has(loss.reason)) this.#backOff(loss);
    this.#reconcile();
  }

  #backOff(loss: ChildLoss): void {
    const delayMs = this.#backoff.delayAfterCrash(loss.readyForMs);
    this.#restartTimer?.cancel();
    this.#restartTimer = this.#clock.after(delayMs, () => {
      this.#restartTimer = undefined;
      this.#reconcile();
    });
    const canStart = loss.wasReady || this.#current?.isReady === true;
    if (this.#backoff.isDegraded && !canStart) this.#refuseWaiting(this.#lost(loss.reason, loss.exit));
  }

  #refuseWaiting(error: ChildLost): void {
    this.#line.refuseAll(error);
    this.#readyWaiters.rejectAll(error);
  }

  #lost(reason: LossReason, cause?: unknown): ChildLost {
    return new ChildLost({ child: this.#options.name, reason, started: false, cause });
  }
}
