import { orAborted } from './or-aborted.ts';

interface SharedCall<Result> {
  readonly outcome: Promise<Result>;
  readonly controller: AbortController;
  callers: number;
  isOver: boolean;
}

/** Concurrent requests for the same key share one call; it is aborted when all of them have left. */
export class SharedCalls<Result> {
  readonly #calls = new Map<string, SharedCall<Result>>();

  async join(
    key: string,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    const call = this.#calls.get(key) ?? this.#open(key, start);
    call.callers += 1;
    try {
      return await orAborted(call.outcome, signal);
    } finally {
      call.callers -= 1;
      if (call.callers === 0) this.#close(key, call);
    }
  }

  #open(key: string, start: (signal: AbortSignal) => Promise<Result>): SharedCall<Result> {
    const controller = new AbortController();
    const outcome = start(controller.signal).finally(() => {
      call.isOver = true;
    });
    const call = { outcome, controller, callers: 0, isOver: false };
    this.#calls.set(key, call);
    return call;
  }

  /** Later requests start a new call, even while this one is still being aborted. */
  #close(key: string, call: SharedCall<Result>): void {
    if (this.#calls.get(key) === call) this.#calls.delete(key);
    // An abort makes an error with its stack: none where the call is over.
    if (!call.isOver) call.controller.abort(new Error('all callers have left'));
  }
}
