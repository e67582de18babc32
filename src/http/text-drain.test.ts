import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hold } from '../../testing/text/held.ts';
import { TextGateway } from '../../testing/text/text-gateway.ts';
import { clientWires } from '../../testing/text/text-wires.ts';

const never = new AbortController().signal;

let gateway: TextGateway;
beforeEach(async () => {
  gateway = await TextGateway.start();
});
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
});

describe('a gateway that drains with text in flight', () => {
  it('lets every answer end, refuses new requests, and is drained only then', async () => {
    const going = hold();
    const plan = {
      text: ['One', ' two'],
      beforePiece: async (index: number) => {
        if (index >= 2) await going.until;
      },
    };
    gateway.upstream.respond(plan, plan, plan, plan);
    const running = clientWires.flatMap((wire) =>
      [true, false].map((stream) => ({ wire, stream, call: wire.ask(gateway, { stream }) })),
    );
    for (const { wire, stream, call } of running) {
      if (stream) await call.until((received) => wire.hasSaid(received, 'One'));
    }
    await gateway.upstream.until(() => gateway.asked.length === 4);
    let isEmpty = false;
    const drained = gateway.http.drainGate.drain(never).then(() => {
      isEmpty = true;
    });
    for (const wire of clientWires) {
      const refused = await wire.ask(gateway, { stream: true }).answer();
      expect([refused.status, refused.headers['retry-after'], refused.headers.connection]).toEqual([
        503,
        '5',
        'close',
      ]);
      const type = wire.name === 'chat' ? 'server_error' : 'overloaded_error';
      expect(JSON.parse(refused.body)).toEqual(wire.error(type));
    }
    expect((await gateway.count().answer()).status).toBe(503);
    expect(isEmpty).toBe(false);
    going.release();
    for (const { wire, call } of running) expect(wire.textOf(await call.answer())).toBe('One two');
    await drained;
    expect(gateway.asked).toHaveLength(4);
  });

  it('waits no longer than its signal, and then releases everything', async () => {
    gateway.upstream.respond({
      text: ['One', ' two'],
      beforePiece: (index) => (index === 2 ? hold().until : undefined),
    });
    const call = gateway.chat({ stream: true });
    await call.until((received) => received.includes('"One"'));
    const enough = new AbortController();
    const drained = gateway.http.drainGate.drain(enough.signal);
    enough.abort();
    await drained;
    const gone = gateway.upstream.clientGone(AbortSignal.timeout(60_000));
    await gateway.http[Symbol.asyncDispose]();
    expect(await call.ended).toBe('cut');
    await gone;
  });

  it('that loses its engine ends streams with an error, not as if they were complete', async () => {
    gateway.upstream.respond(
      ...clientWires.map(() => ({
        text: ['One', ' two'],
        beforePiece: (index: number) => (index === 2 ? hold().until : undefined),
      })),
    );
    const running = clientWires.map((wire) => ({ wire, call: wire.ask(gateway, { stream: true }) }));
    for (const { wire, call } of running) await call.until((received) => wire.hasSaid(received, 'One'));
    await gateway.engine.close();
    for (const { wire, call } of running) {
      const type = wire.name === 'chat' ? 'upstream_error' : 'api_error';
      expect(wire.failureOf(await call.answer())).toEqual(wire.error(type));
    }
  });
});
