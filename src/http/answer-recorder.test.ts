import { expect, it } from 'vitest';
import { FakeOutlet } from '../../testing/fake-outlet.ts';
import { AnswerRecorder } from './answer-recorder.ts';
import { BodyMemory } from './body-memory.ts';

const head = { status: 200, requestId: 'req_1', lines: 'content-type: text/plain\r\n' };

it('an answer that cannot be sent is cut, and its memory is given back', async () => {
  const outlet = new FakeOutlet();
  outlet.send = () => {
    throw new Error('Invalid character in header content');
  };
  const bodies = new BodyMemory(10_000);
  const running = { end: async () => {} };
  const memory = bodies.open('shop');
  const recorder = new AnswerRecorder({ outlet, running, memory, onOver: () => {} });
  recorder.send(head, 'x'.repeat(500));
  expect(bodies.heldBytes).toBe(500);
  await recorder.settled('ok');
  expect(outlet.isGone).toBe(true);
  expect(bodies.heldBytes).toBe(0);
});
