import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { HeldClock } from '../../testing/held-clock.ts';
import { Fault } from '../faults/fault.ts';
import { Authenticator } from './authenticator.ts';
import { generateSecret, hashSecret } from './key-secret.ts';

const FRESH_MS = 3_000;
const GOOD_MS = 4_500;
const here = '10.0.0.1';
const MANY = 10_001;
const secret = 'sk-good';
const caller = makeCaller();

let clock: HeldClock;
let directory: FakeCallerDirectory;
let authenticator: Authenticator;
let pauses: (() => void)[];
const request = { signal: new AbortController().signal };
setMaxListeners(0, request.signal);

beforeEach(() => {
  clock = new HeldClock();
  directory = new FakeCallerDirectory();
  directory.add(secret, caller);
  pauses = [];
  authenticator = new Authenticator(directory, clock, { afterPause: (work) => pauses.push(work) });
});

function now(credential: string): unknown {
  return authenticator.authenticate(authenticator.hash(credential), here, request);
}

async function ask(credential: string | undefined, address = here): Promise<unknown> {
  try {
    return await authenticator.authenticate(authenticator.hash(credential), address, request);
  } catch (error) {
    return error;
  }
}

function held(): { release: () => void } {
  let release = () => {};
  directory.hold = new Promise((resolve) => {
    release = resolve;
  });
  return { release };
}

/** Waits until background work has finished. */
const settled = (): Promise<void> => setImmediate();

/** Ends the pause of suspects. */
async function endPause(): Promise<void> {
  for (const work of pauses.splice(0)) work();
  await settled();
}

async function sendWrongKeys(count = 100): Promise<void> {
  for (let sent = 0; sent < count; sent++) await ask('sk-wrong');
}

describe('Authenticator', () => {
  it('answers every bad credential the same way', async () => {
    directory.add('sk-expired', caller, new Date(clock.nowMs()));
    const answers = await Promise.all(
      [undefined, '', 'sk-unknown', 'sk-expired', 'x'.repeat(201)].map((credential) => ask(credential)),
    );
    for (const answer of answers) {
      expect(answer).toBeInstanceOf(Fault);
      expect(answer).toMatchObject({ code: 'credential-refused', message: (answers[0] as Fault).message });
    }
  });

  it('does not look up what cannot be a key', async () => {
    await ask(undefined);
    await ask('x'.repeat(100_000));
    expect(directory.lookups).toBe(0);
  });

  it('caches an answer for three seconds, then uses it while refreshing', async () => {
    expect(await ask(secret)).toBe(caller);
    clock.advance(FRESH_MS - 1);
    expect(now(secret)).toBe(caller);
    expect(directory.lookups).toBe(1);
    directory.revoke(secret);
    clock.advance(1);
    expect(now(secret)).toBe(caller);
    expect(directory.lookups).toBe(2);
    await settled();
    expect(await ask(secret)).toMatchObject({ code: 'credential-refused' });
    expect(directory.lookups).toBe(2);
  });

  it('never uses an answer older than four and a half seconds, however slow the directory is', async () => {
    await ask(secret);
    directory.revoke(secret);
    const { release } = held();
    clock.advance(GOOD_MS - 1);
    expect(now(secret)).toBe(caller);
    clock.advance(1);
    const asked = ask(secret);
    release();
    expect(await asked).toMatchObject({ code: 'credential-refused' });
    expect(directory.lookups).toBe(2);
  });

  it('keeps using an answer when the refresh fails, and fails once it is too old', async () => {
    await ask(secret);
    directory.failure = new Fault('database-away', 'Away.');
    clock.advance(FRESH_MS);
    expect(now(secret)).toBe(caller);
    await settled();
    clock.advance(GOOD_MS - FRESH_MS);
    expect(await ask(secret)).toBe(directory.failure);
  });

  it('does not look up a generated key with a wrong checksum', async () => {
    const made = generateSecret();
    directory.add(made, caller);
    expect(await ask(made)).toBe(caller);
    expect(await ask(`sk-${'A'.repeat(49)}`)).toMatchObject({ code: 'credential-refused' });
    expect(directory.lookups).toBe(1);
  });

  it('looks new keys up two at a time, in turns among addresses, and known ones past them', async () => {
    await ask(secret);
    clock.advance(GOOD_MS);
    const { release } = held();
    const flood = Array.from({ length: 100 }, (_, count) => ask(`sk-wrong-${count}`));
    directory.add('sk-new', caller);
    const other = ask('sk-new', '10.0.0.2');
    await settled();
    expect(directory.lookups).toBe(1 + 2);
    const known = ask(secret);
    expect(directory.lookups).toBe(1 + 3);
    release();
    expect(await known).toBe(caller);
    expect(await other).toBe(caller);
    // Behind the two already running and the one before it in the rotation.
    expect(directory.asked.indexOf(hashSecret('sk-new'))).toBeLessThanOrEqual(5);
    await Promise.all(flood);
  });

  it('suspects new keys behind a hundred others of their address, but no known ones', async () => {
    await ask(secret);
    directory.add('sk-new', caller);
    const { release } = held();
    const waiting = Array.from({ length: 102 }, (_, count) => ask(`sk-wrong-${count}`));
    const late = ask('sk-new');
    const other = ask('sk-other', '10.0.0.2');
    await settled();
    expect(now(secret)).toBe(caller);
    release();
    await Promise.all([...waiting, other]);
    expect(directory.asked).not.toContain(hashSecret('sk-new'));
    await endPause();
    expect(await late).toBe(caller);
  });

  it('refuses new keys while too many are waiting', async () => {
    const { release } = held();
    const waiting = Array.from({ length: 2_002 }, (_, count) =>
      ask(`sk-wrong-${count}`, `10.0.1.${count % 100}`),
    );
    expect(await ask('sk-one-more')).toMatchObject({ code: 'too-many-new-keys' });
    release();
    await Promise.all(waiting);
  });

  it('answers 429 to an address after a hundred wrong keys in a minute, and never to a valid key', async () => {
    for (let count = 0; count < 100; count++) {
      expect(await ask('sk-wrong')).toMatchObject({ code: 'credential-refused' });
    }
    const refused = [ask('sk-wrong'), ask(undefined)];
    expect(await ask('sk-wrong', '10.0.0.2')).toMatchObject({ code: 'credential-refused' });
    const valid = ask(secret);
    await endPause();
    expect(await refused[0]).toMatchObject({ code: 'too-many-wrong-keys', retryAfterSeconds: 59 });
    expect(await refused[1]).toMatchObject({ code: 'too-many-wrong-keys' });
    expect(await valid).toBe(caller);
    clock.advance(60_000);
    expect(await ask('sk-wrong')).toMatchObject({ code: 'credential-refused' });
  });

  it('serves a known caller at once from an address with too many wrong keys, also after the cache was cleared', async () => {
    await ask(secret);
    await sendWrongKeys();
    expect(now(secret)).toBe(caller);
    authenticator.forget();
    authenticator.forget();
    expect(await ask(secret)).toBe(caller);
    expect(pauses).toEqual([]);
  });

  it('delays keys of an address with too many wrong ones, and looks up only those that exist', async () => {
    await sendWrongKeys();
    const { lookups } = directory;
    const wrong = Array.from({ length: 19 }, (_, count) => ask(`sk-wrong-${count}`));
    const valid = ask(secret);
    await settled();
    expect(directory.questions).toEqual([]);
    await endPause();
    await Promise.all(wrong);
    expect(await valid).toBe(caller);
    expect(directory.questions).toHaveLength(1);
    expect(directory.lookups).toBe(lookups + 1);
  });

  it('keeps one object for a caller until something about it changes', async () => {
    await ask(secret);
    directory.add(secret, makeCaller());
    clock.advance(GOOD_MS);
    expect(await ask(secret)).toBe(caller);
    expect(directory.lookups).toBe(2);
    const paused = { ...caller, stack: { ...caller.stack, paused: !caller.stack.paused } };
    directory.add(secret, paused);
    clock.advance(GOOD_MS);
    expect(await ask(secret)).toBe(paused);
  });

  it('applies a new expiry of an otherwise unchanged caller', async () => {
    await ask(secret);
    directory.add(secret, makeCaller(), new Date(clock.nowMs() + GOOD_MS + 500));
    clock.advance(GOOD_MS);
    expect(await ask(secret)).toEqual(caller);
    clock.advance(500);
    expect(await ask(secret)).toMatchObject({ code: 'credential-refused' });
  });

  it('does not keep an answer longer when the clock is set back', async () => {
    await ask(secret);
    directory.revoke(secret);
    clock.advance(-3_600_000);
    expect(await ask(secret)).toMatchObject({ code: 'credential-refused' });
  });

  it('caches unknown keys for as long', async () => {
    await ask('sk-late');
    directory.add('sk-late', caller);
    expect(await ask('sk-late')).toMatchObject({ code: 'credential-refused' });
    expect(directory.lookups).toBe(1);
    clock.advance(FRESH_MS);
    expect(await ask('sk-late')).toBe(caller);
  });

  it('refuses a remembered key from the moment it expires', async () => {
    directory.add(secret, caller, new Date(clock.nowMs() + 1_000));
    expect(await ask(secret)).toBe(caller);
    clock.advance(999);
    expect(await ask(secret)).toBe(caller);
    clock.advance(1);
    expect(await ask(secret)).toMatchObject({ code: 'credential-refused' });
    expect(directory.lookups).toBe(1);
  });

  it('looks a key up once for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(secret)));
    expect(new Set(answers)).toEqual(new Set([caller]));
    expect(directory.lookups).toBe(1);
  });

  it('clears its cache at once', async () => {
    await ask(secret);
    directory.revoke(secret);
    authenticator.forget();
    expect(await ask(secret)).toMatchObject({ code: 'credential-refused' });
  });

  it('does not cache an answer read before the cache was cleared', async () => {
    const { release } = held();
    const early = ask(secret);
    directory.revoke(secret);
    authenticator.forget();
    directory.hold = undefined;
    expect(await ask(secret)).toMatchObject({ code: 'credential-refused' });
    release();
    await early;
    expect(await ask(secret)).toMatchObject({ code: 'credential-refused' });
  });

  it('starts a new lookup after the cache was cleared instead of joining an old one', async () => {
    const { release } = held();
    const early = ask(secret);
    authenticator.forget();
    const late = ask(secret);
    await settled();
    expect(directory.lookups).toBe(2);
    release();
    expect(await Promise.all([early, late])).toEqual([caller, caller]);
  });

  it('passes on a failure of the directory and does not cache it', async () => {
    directory.failure = new Fault('database-away', 'Away.');
    const answers = await Promise.all([ask(secret), ask(secret)]);
    expect(answers).toEqual([directory.failure, directory.failure]);
    expect(directory.lookups).toBe(1);
    directory.failure = undefined;
    expect(await ask(secret)).toBe(caller);
  });

  it('keeps good keys through a flood of wrong ones', async () => {
    await ask(secret);
    for (let count = 0; count < MANY; count++) await ask(`sk-wrong-${count}`, `10.1.${count % 200}.1`);
    expect(now(secret)).toBe(caller);
    expect(directory.lookups).toBe(MANY + 1);
  });

  it('remembers a bounded number of keys, dropping the oldest', async () => {
    for (let count = 0; count < MANY; count++) {
      directory.add(`sk-${count}`, caller);
      await ask(`sk-${count}`);
    }
    expect(now(`sk-${MANY - 1}`)).toBe(caller);
    expect(now('sk-0')).toBeInstanceOf(Promise);
    await settled();
    expect(directory.lookups).toBe(MANY + 1);
  });
});
