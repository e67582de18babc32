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
  wait: string | undefined;

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

it.each([
  ['that is paused', { paused: true }, {}, 'The stack was paused for inactivity and is still waking.'],
  ['whose engine rests', {}, {}, 'The model is still starting; retry in a moment.'],
  [
    'whose model is fetched',
    {},
    { wait: 'The model is downloading, 3 %.' },
    'The model is downloading, 3 %.',
  ],
] as const)('says why a stack %s is not ready in time', async (_what, asked, told, message) => {
  const waker = new StackWaker({ wakeMs: 1 });
  const engine = Object.assign(new FakeLifecycle('paused'), told);
  await expect(waker.wake({ ...stack, ...asked }, engine, { signal })).rejects.toThrow(message);
});

it('says that the engine of a stack keeps failing', async () => {
  const engine = new FakeLifecycle('paused');
  engine.ready = async () => {
    engine.state = 'degraded';
    throw new Error('it crashed');
  };
  const waking = new StackWaker().wake({ ...stack, paused: true }, engine, { signal });
  await expect(waking).rejects.toThrow('The model is not ready: its engine is degraded.');
});
