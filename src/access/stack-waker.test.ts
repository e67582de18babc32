import { expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import type { EngineState, Lifecycle } from '../supervision/lifecycle.ts';
import { Waiters } from '../supervision/waiters.ts';
import { StackWaker } from './stack-waker.ts';

const { signal } = new AbortController();
const { stack } = makeCaller();

class FakeLifecycle implements Lifecycle {
  readonly #waiters = new Waiters();
  state: EngineState;

  constructor(state: EngineState) {
    this.state = state;
  }

  async ready(stopped: AbortSignal): Promise<void> {
    this.state = 'starting';
    await this.#waiters.wait(stopped);
  }

  finish(): void {
    this.state = 'ready';
    this.#waiters.resolveAll();
  }
}

it('lets all callers wait for an engine that one of them woke', async () => {
  const waker = new StackWaker();
  const engine = new FakeLifecycle('paused');
  const left = new AbortController();
  const first = waker.wake(stack, engine, { signal: left.signal });
  const others = [waker.wake(stack, engine, { signal }), waker.wake(stack, engine, { signal })];
  left.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  expect(engine.state).toBe('starting');
  engine.finish();
  await Promise.all(others);
  expect(waker.wake(stack, engine, { signal })).toBeUndefined();
  engine.state = 'starting';
  expect(waker.wake(stack, engine, { signal })).toBeUndefined();
});

it('waits for no engine that starts by itself', () => {
  const waker = new StackWaker();
  expect(waker.wake(stack, new FakeLifecycle('starting'), { signal })).toBeUndefined();
});
