import type { Clock, Timer } from '../lib/clock.ts';
import type { ChildCall, ChildCallHolder } from './child-call.ts';
import { type ChildEnd, ChildExit, ChildFailure, ChildLost, type LossReason } from './child-lost.ts';
import type { ChildPort, LaunchChild } from './child-port.ts';
import { type ChildPriority, lowerProcess, lowerThread } from './child-priority.ts';
import { type MessageFromChild, parseMessageFromChild } from './messages.ts';
import { LastLines } from './output-lines.ts';
import { threadCpuMs } from './thread-cpu.ts';

/** Timeouts for one child. */
export interface ChildPatience {
  readonly startTimeoutMs: number;
  /** From the cancel message to the kill. */
  readonly cancelGraceMs: number;
  /** From the stop message, once idle, to the kill. */
  readonly stopGraceMs: number;
}

/** Events of a run for its owner. */
export interface ChildRunObserver {
  ready(run: ChildRun): void;
  /** A request is finished and the child is alive. */
  freed(run: ChildRun): void;
  ended(run: ChildRun, loss: ChildLoss): void;
  line(line: string): void;
}

export interface ChildLoss {
  readonly reason: LossReason;
  readonly exit: ChildExit;
  readonly wasReady: boolean;
  readonly readyForMs: number;
}

/** Reads a thread's CPU time; the process is that of the thread, if it is not this one. */
type ThreadClock = (thread: number | undefined, processId: number | undefined) => number | undefined;

export interface ChildRunOptions {
  readonly name: string;
  readonly patience: ChildPatience;
  readonly priority?: ChildPriority | undefined;
  readonly clock: Clock;
  readonly observer: ChildRunObserver;
  /** Replaced in tests. */
  readonly cpuMsOf?: ThreadClock | undefined;
}

interface Flight {
  readonly id: number;
  readonly call: ChildCall;
  hasStarted: boolean;
  /** Batches sent by the child and not read yet. */
  unread: number;
  timer: Timer | undefined;
  /** Since when the child owes an answer, in wall and CPU time. */
  owesSince: { readonly clockMs: number; readonly cpuMs: number | undefined };
}

/** Resolution of CPU time. */
const CPU_GRAIN_MS = 10;
// Native code in a worker thread cannot be killed; the thread is then abandoned and reported as ended.
const killWaitMs = 5_000;

/** One child from launch to end, and its current requests. */
export class ChildRun implements ChildCallHolder {
  readonly #name: string;
  readonly #patience: ChildPatience;
  readonly #priority: ChildPriority | undefined;
  readonly #clock: Clock;
  readonly #observer: ChildRunObserver;
  readonly #cpuMsOf: ThreadClock;
  readonly #lastLines = new LastLines();
  readonly #flights = new Map<number, Flight>();
  #port: ChildPort | undefined;
  #phase: 'starting' | 'ready' | 'stopping' | 'ended' = 'starting';
  #phaseTimer: Timer | undefined;
  #isRetiring = false;
  #killedFor: LossReason | undefined;
  #readyAtMs: number | undefined;
  #requests = 0;
  #memoryBytes = 0;
  #thread: number | undefined;

  constructor(options: ChildRunOptions) {
    this.#name = options.name;
    this.#patience = options.patience;
    this.#priority = options.priority;
    this.#clock = options.clock;
    this.#observer = options.observer;
    this.#cpuMsOf = options.cpuMsOf ?? threadCpuMs;
  }

  get isReady(): boolean {
    return this.#phase === 'ready' && !this.#isRetiring && this.#killedFor === undefined;
  }

  get inFlight(): number {
    return this.#flights.size;
  }

  /** Requests given so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Memory use after the last request, as reported by the child. */
  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  start(launch: LaunchChild): void {
    this.#setPhaseTimer(this.#patience.startTimeoutMs, () => this.kill('start-timeout'));
    try {
      this.#port = launch({
        message: (message) => this.#receive(message),
        line: (line) => {
          this.#lastLines.add(line);
          this.#observer.line(line);
        },
        ended: (end) => this.#end(end),
      });
      const { processId } = this.#port;
      if (this.#priority && processId !== undefined) lowerProcess(processId, this.#priority);
    } catch (error) {
      this.#end({ exitCode: null, signal: null, error });
    }
  }

  send(call: ChildCall): void {
    this.#requests += 1;
    const id = this.#requests;
    const owesSince = { clockMs: 0, cpuMs: undefined };
    const flight: Flight = { id, call, hasStarted: false, unread: 0, timer: undefined, owesSince };
    this.#flights.set(id, flight);
    call.heldBy(this);
    const { payload, window, options } = call;
    try {
      this.#port?.send({ type: 'request', id, payload, window }, options.transfer ?? []);
    } catch (error) {
      // Not the child's fault: the payload cannot be cloned.
      call.settle({ error });
      this.#land(flight, this.#memoryBytes);
      return;
    }
    this.#setDeadline(flight);
  }

  cancel(call: ChildCall): void {
    const flight = this.#flightOf(call);
    if (!flight) return;
    this.#port?.send({ type: 'cancel', id: flight.id }, []);
    flight.timer?.cancel();
    flight.timer = this.#clock.after(this.#patience.cancelGraceMs, () => this.kill('cancel-ignored'));
  }

  credit(call: ChildCall, batches: number): void {
    const flight = this.#flightOf(call);
    if (!flight) return;
    flight.unread -= batches;
    this.#port?.send({ type: 'credit', id: flight.id, batches }, []);
    this.#setDeadline(flight);
  }

  /** Takes no more requests, finishes the current ones, and ends. */
  retire(): void {
    this.#isRetiring = true;
    if (this.#phase === 'starting') this.kill('stopped');
    if (this.#phase !== 'ready' || this.#flights.size > 0) return;
    this.#phase = 'stopping';
    this.#port?.send({ type: 'stop' }, []);
    this.#setPhaseTimer(this.#patience.stopGraceMs, () => this.kill('stopped'));
  }

  kill(reason: LossReason): void {
    if (this.#phase === 'ended' || this.#killedFor !== undefined) return;
    this.#killedFor = reason;
    for (const flight of this.#flights.values()) flight.timer?.cancel();
    this.#setPhaseTimer(killWaitMs, () => {
      this.#end({ exitCode: null, signal: null, error: new Error('it did not end when killed') });
    });
    this.#port?.kill();
  }

  #receive(raw: unknown): void {
    if (this.#phase === 'ended' || this.#killedFor !== undefined) return;
    const message = parseMessageFromChild(raw);
    if (message?.type === 'alive' || message?.type === 'ready') {
      if (this.#phase !== 'starting') this.kill('misbehaved');
      else if (message.type === 'alive') this.#becomeAlive(message.thread);
      else this.#becomeReady();
      return;
    }
    const flight = message && this.#flights.get(message.id);
    if (flight) this.#receiveFor(flight, message);
    else this.kill('misbehaved');
  }

  #becomeAlive(thread: number | undefined): void {
    this.#thread = thread;
    if (this.#priority && thread !== undefined) lowerThread(thread, this.#priority);
  }

  #becomeReady(): void {
    this.#phaseTimer?.cancel();
    this.#phase = 'ready';
    this.#readyAtMs = this.#clock.nowMs();
    this.#observer.ready(this);
  }

  #receiveFor(flight: Flight, message: Exclude<MessageFromChild, { type: 'alive' | 'ready' }>): void {
    switch (message.type) {
      case 'start':
        flight.hasStarted = true;
        break;
      case 'batch':
        this.#takeBatch(flight, message.events);
        break;
      case 'answer':
        flight.call.settle({ value: message.value });
        this.#land(flight, message.memoryBytes);
        break;
      case 'failure':
        flight.call.settle({ error: new ChildFailure(message.error) });
        this.#land(flight, message.memoryBytes);
    }
  }

  #takeBatch(flight: Flight, events: readonly unknown[]): void {
    if (flight.unread >= flight.call.window) {
      this.kill('misbehaved');
      return;
    }
    flight.unread += 1;
    this.#setDeadline(flight);
    flight.call.push(events);
  }

  #setDeadline(flight: Flight): void {
    if (flight.call.isSettled) return;
    flight.timer?.cancel();
    const { window, options } = flight.call;
    // The buffer is full: the reader is late, not the child.
    if (window > 0 && flight.unread >= window) return;
    flight.owesSince = {
      clockMs: this.#clock.nowMs(),
      cpuMs: options.mostWallMs === undefined ? undefined : this.#cpuMs(),
    };
    flight.timer = this.#clock.after(options.deadlineMs, () => this.#onDeadline(flight));
  }

  /** CPU time passes no faster than wall time, so the rest is checked again no sooner than it can have passed. */
  #onDeadline(flight: Flight): void {
    const { deadlineMs, mostWallMs = 0 } = flight.call.options;
    const { clockMs, cpuMs } = flight.owesSince;
    const cpuNowMs = cpuMs === undefined ? undefined : this.#cpuMs();
    const cpuLeftMs = cpuMs === undefined || cpuNowMs === undefined ? 0 : deadlineMs - (cpuNowMs - cpuMs);
    const wallLeftMs = clockMs + mostWallMs - this.#clock.nowMs();
    const leftMs = Math.min(cpuLeftMs, wallLeftMs);
    if (leftMs <= 0) this.kill('deadline');
    else flight.timer = this.#clock.after(Math.max(leftMs, CPU_GRAIN_MS), () => this.#onDeadline(flight));
  }

  #cpuMs(): number | undefined {
    return this.#cpuMsOf(this.#thread, this.#port?.processId);
  }

  #land(flight: Flight, memoryBytes: number): void {
    flight.timer?.cancel();
    this.#memoryBytes = memoryBytes;
    this.#flights.delete(flight.id);
    if (this.#isRetiring) this.retire();
    this.#observer.freed(this);
  }

  #end(end: ChildEnd): void {
    if (this.#phase === 'ended') return;
    const reason = this.#killedFor ?? (this.#phase === 'stopping' ? 'stopped' : 'crashed');
    this.#phase = 'ended';
    this.#phaseTimer?.cancel();
    const exit = new ChildExit(end, this.#lastLines.list());
    for (const { call, hasStarted, timer } of this.#flights.values()) {
      timer?.cancel();
      const lost = { child: this.#name, reason, started: hasStarted, cause: exit };
      call.settle({ error: new ChildLost(lost) });
    }
    this.#flights.clear();
    const wasReady = this.#readyAtMs !== undefined;
    const readyForMs = this.#readyAtMs === undefined ? 0 : this.#clock.nowMs() - this.#readyAtMs;
    this.#observer.ended(this, { reason, exit, wasReady, readyForMs });
  }

  #flightOf(call: ChildCall): Flight | undefined {
    return [...this.#flights.values()].find((flight) => flight.call === call);
  }

  #setPhaseTimer(delayMs: number, run: () => void): void {
    this.#phaseTimer?.cancel();
    this.#phaseTimer = this.#clock.after(delayMs, run);
  }
}
