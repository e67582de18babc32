import { setTimeout as delay } from 'node:timers/promises';

const STEP_MS = 50;
const USUAL_BOUND_MS = 120_000;

/** Polls until the result is not undefined; throws after a time limit. */
export async function eventually<Value>(
  what: string,
  ask: () => Value | undefined | Promise<Value | undefined>,
  withinMs = USUAL_BOUND_MS,
): Promise<Value> {
  const endMs = performance.now() + withinMs;
  for (;;) {
    const value = await ask();
    if (value !== undefined) return value;
    if (performance.now() > endMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(STEP_MS);
  }
}
