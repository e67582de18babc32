import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { DrainGate } from '../http/drain-gate.ts';
import { AnswerHeads } from './answer-heads.ts';
import { EndingAnswers } from './ending-answers.ts';
import { FastConnection } from './fast-connection.ts';
import { SocketOutlet } from './socket-outlet.ts';

const heads = new AnswerHeads({}, 5_000);
const head = { status: 200, requestId: 'req_1', lines: '' };

/** An outlet on a socket of its own; what happens to it is noted with its name. */
function openOutlet(name: string, endings: EndingAnswers, events: string[]): SocketOutlet {
  class NotedSocket extends Socket {
    override _write(chunk: unknown, _encoding: string, done: () => void): void {
      events.push(`${name} sends ${String(chunk).split('\r\n').at(-1) || 'the end'}`);
      done();
    }
  }
  const server = {
    drainGate: new DrainGate(),
    sharesReads: true,
    open: () => outlet,
    serve: () => {},
    mayServe: () => false,
    hold: () => undefined,
    onClosed: () => {},
  };
  const connection = new FastConnection(new NotedSocket(), server, () => {});
  const outlet = new SocketOutlet({ connection, heads, endings, isDraining: () => false });
  outlet.listen({
    ending: () => void events.push(`${name} ends`),
    drained: () => {},
    closed: (isComplete) => void events.push(`${name} is ${isComplete ? 'complete' : 'cut'}`),
  });
  return outlet;
}

it('answers that end in one turn leave together, each after it was told that it ends', async () => {
  const events: string[] = [];
  const endings = new EndingAnswers();
  for (const name of ['one', 'other']) openOutlet(name, endings, events).send(head, 'hello');
  expect(events).toEqual([]);
  await setImmediate();
  expect(events).toEqual([
    'one ends',
    'one sends hello',
    'one is complete',
    'other ends',
    'other sends hello',
    'other is complete',
  ]);
});

it('the pieces of a stream leave at once, the last of them with the end of its turn', async () => {
  const events: string[] = [];
  const outlet = openOutlet('it', new EndingAnswers(), events);
  outlet.open(head);
  outlet.write('hello');
  expect(events).toEqual(['it sends the end']);
  outlet.end('bye');
  expect(events).toHaveLength(1);
  await setImmediate();
  expect(events.slice(1)).toEqual(['it ends', 'it sends the end', 'it is complete']);
});

it('an answer whose client leaves before the end of the turn is not sent', async () => {
  const events: string[] = [];
  const outlet = openOutlet('it', new EndingAnswers(), events);
  outlet.send(head, 'hello');
  outlet.gone();
  await setImmediate();
  expect(events).toEqual(['it is cut']);
});
