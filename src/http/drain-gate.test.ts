import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { DrainGate } from './drain-gate.ts';

const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()));
const never = new AbortController().signal;

describe('DrainGate', () => {
  it('lets everybody in until it closes', async () => {
    const gate = new DrainGate();
    expect(gate.fault()).toBeUndefined();
    expect(() => gate.check()).not.toThrow();
    await gate.drain(never);
    expect(gate.fault()).toMatchObject({ code: 'draining' });
    expect(() => gate.check()).toThrow('shutting down');
  });

  it('waits until the last one is out', async () => {
    const gate = new DrainGate();
    const leaveFirst = gate.enter(newResponse());
    const leaveSecond = gate.enter(newResponse());
    let drained = false;
    const draining = gate.drain(never).then(() => {
      drained = true;
    });
    leaveFirst();
    await Promise.resolve();
    expect(drained).toBe(false);
    leaveSecond();
    await draining;
  });

  it('waits no longer than its signal', async () => {
    const gate = new DrainGate();
    gate.enter(newResponse());
    const enough = new AbortController();
    const draining = gate.drain(enough.signal);
    enough.abort();
    await draining;
    await gate.drain(AbortSignal.abort());
  });

  it('tells everybody who waits, when it is closed twice', async () => {
    const gate = new DrainGate();
    const leave = gate.enter(newResponse());
    const both = [gate.drain(never), gate.drain(never)];
    leave();
    await Promise.all(both);
  });

  it('tells newcomers to close their connections once it is closed', async () => {
    const gate = new DrainGate();
    const early = newResponse();
    gate.enter(early)();
    await gate.drain(never);
    const late = newResponse();
    gate.enter(late);
    expect([early.getHeader('connection'), late.getHeader('connection')]).toEqual([undefined, 'close']);
  });
});
