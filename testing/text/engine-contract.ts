import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '../../src/text/reply.ts';
import type { TextEngine } from '../../src/text/text-engine.ts';
import { answerOf, collectReply } from './engine-answers.ts';
import { conversationOf, sampleConversations } from './engine-conversations.ts';
import { eventsOf, expectLegalEvents } from './engine-events.ts';

/** A ready engine under test; disposing stops everything it started. */
export interface TextEngineUnderTest extends AsyncDisposable {
  readonly engine: TextEngine;
}

const never = new AbortController().signal;
const textOf = (reply: Reply): string =>
  reply.blocks.map(({ block, text }) => (block.type === 'text' ? text : '')).join('');

/** Contract of every text engine; `make` gives one that says at least a few words to any question. */
export function describeTextEngine(name: string, make: () => Promise<TextEngineUnderTest>): void {
  describe(`${name} as a text engine`, () => {
    let made: TextEngineUnderTest;
    let engine: TextEngine;

    beforeEach(async () => {
      made = await make();
      engine = made.engine;
      await engine.lifecycle.ready(AbortSignal.timeout(60_000));
    });
    afterEach(async () => {
      await made[Symbol.asyncDispose]();
    });

    it('is ready once it said so', () => {
      expect(engine.lifecycle.state).toBe('ready');
    });

    for (const [what, conversation] of Object.entries(sampleConversations)) {
      it(`answers ${what} in order, and counts beforehand what it reads`, async () => {
        const events = await eventsOf(answerOf(engine, conversation, { signal: never, countFirst: true }));
        expectLegalEvents(events);
        const [start] = events;
        const finish = events.at(-1);
        const counted = await engine.countTokens(conversation, never);
        expect(start).toEqual({ type: 'start', promptTokens: counted });
        expect(finish).toMatchObject({ type: 'finish', usage: { promptTokens: counted } });
        expect(counted).toBeGreaterThan(0);
      });
    }

    it('reports the tokens of its answer, even without a count before', async () => {
      const events = await eventsOf(answerOf(engine, conversationOf(), { signal: never, countFirst: false }));
      expectLegalEvents(events);
      const finish = events.at(-1);
      expect(finish?.type === 'finish' && finish.usage.promptTokens).toBeGreaterThan(0);
      expect(finish?.type === 'finish' && finish.usage.completionTokens).toBeGreaterThan(0);
    });

    it('never returns a stop sequence', async () => {
      const options = { signal: never, countFirst: false };
      const whole = textOf(await collectReply(answerOf(engine, conversationOf(), options)));
      expect(whole.length).toBeGreaterThan(3);
      for (const [from, to] of [
        [1, 3],
        [2, 3],
        [0, 1],
      ]) {
        const stop = whole.slice(from, to);
        const conversation = conversationOf({ sampling: { stop: [stop, 'never said at all'] } });
        const reply = await collectReply(answerOf(engine, conversation, options));
        expect(textOf(reply)).not.toContain(stop);
        expect(reply.reason).toBe('stop');
      }
    });

    it('does nothing under a signal that has aborted already', async () => {
      const signal = AbortSignal.abort(new Error('gone'));
      await expect(
        eventsOf(answerOf(engine, conversationOf(), { signal, countFirst: true })),
      ).rejects.toThrow('gone');
      await expect(engine.countTokens(conversationOf(), signal)).rejects.toThrow('gone');
    });

    it('stops when its signal aborts, and answers the next all the same', async () => {
      const abort = new AbortController();
      const answering = eventsOf(
        answerOf(engine, conversationOf(), { signal: abort.signal, countFirst: false }),
      );
      abort.abort(new Error('client left'));
      await expect(answering).rejects.toThrow('client left');
      expectLegalEvents(
        await eventsOf(answerOf(engine, conversationOf(), { signal: never, countFirst: false })),
      );
    });

    it('ends an answer whose reader leaves', async () => {
      for await (const _ of answerOf(engine, conversationOf(), { signal: never, countFirst: false })) break;
      expectLegalEvents(
        await eventsOf(answerOf(engine, conversationOf(), { signal: never, countFirst: true })),
      );
    });
  });
}
