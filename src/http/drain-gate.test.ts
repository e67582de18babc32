import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DrainGate } from './drain-gate.ts';

const never = new AbortController().signal;
const connection = new PassThrough();

describe('DrainGate', () => {
  it('lets requests pass until it closes', async () => {
    const gate = new DrainGate();
    expect(gate.fault()).toBeUndefined();
    expect(() => gate.check(connection)).not.toThrow();
    await gate.drain(never);
    expect(gate.fault()).toMatchObject({ code: 'draining' });
    expect(() => gate.check(connection)).toThrow('shutting down');
  });

  it('lets requests pass after the stop was announced', () => {
    const gate = new DrainGate();
    gate.announce();
    expect([gate.isDraining, gate.isClosed, gate.fault()?.code]).toEqual([true, false, 'draining']);
    expect(() => gate.check(connection)).not.toThrow();
  });

  it('lets one expected request of a connection pass after it closed', async () => {
    const gate = new DrainGate();
    // Expected before the gate closes, so it has no effect.
    gate.expect(connection);
    await gate.drain(never);
    expect(() => gate.check(connection)).toThrow('shutting down');
    gate.expect(connection);
    expect(() => gate.check(new PassThrough())).toThrow('shutting down');
    expect(() => gate.check(connection)).not.toThrow();
    expect(() => gate.check(connection)).toThrow('shutting down');
  });

  it('waits until the last request has ended', async () => {
    const gate = new DrainGate();
    gate.enter();
    gate.enter();
    let drained = false;
    const draining = gate.drain(never).then(() => {
      drained = true;
    });
    gate.leave();
    await Promise.resolve();
    expect(drained).toBe(false);
    gate.leave();
    await draining;
  });

  it('goes on waiting for a request that takes the place of the last one in the same turn', async () => {
    const gate = new DrainGate();
    gate.enter();
    let drained = false;
    const draining = gate.drain(never).then(() => {
      drained = true;
    });
    gate.leave();
    gate.enter();
    await setImmediate();
    await setImmediate();
    expect(drained).toBe(false);
    gate.leave();
    await draining;
  });

  it('waits no longer than its signal', async () => {
    const gate = new DrainGate();
    gate.enter();
    const enough = new AbortController();
    const draining = gate.drain(enough.signal);
    enough.abort();
    await draining;
    await gate.drain(AbortSignal.abort());
  });

  it('resolves every wait when it is closed twice', async () => {
    const gate = new DrainGate();
    gate.enter();
    const both = [gate.drain(never), gate.drain(never)];
    gate.leave();
    await Promise.all(both);
  });

  it('says that it is closed', async () => {
    const gate = new DrainGate();
    expect(gate.isDraining).toBe(false);
    await gate.drain(never);
    expect([gate.isDraining, gate.isClosed]).toEqual([true, true]);
  });
});
