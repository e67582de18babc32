import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bareConversation, type Conversation, type Turn } from '../conversation.ts';
import { fitTurns } from './fit-turns.ts';

const user = (text: string): Turn => ({ role: 'user', parts: [{ type: 'text', text }] });
const said = (text: string): Turn => ({ role: 'assistant', text, toolCalls: [] });
const called = (...ids: readonly string[]): Turn => ({
  role: 'assistant',
  text: '',
  toolCalls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })),
});
const result = (callId: string): Turn => ({ role: 'tool', callId, parts: [], isError: false });
const conversationOf = (turns: readonly Turn[]) =>
  bareConversation({ system: 'Be brief.', turns }, { maxTokens: 8_000 });
/** Each turn is a token. */
const roomFor = (room: number) => async (conversation: Conversation) => ({
  tokens: conversation.turns.length,
  room,
});
const fitted = async (turns: readonly Turn[], room: number) =>
  (await fitTurns(conversationOf(turns), roomFor(room))).turns;

describe('fitTurns', () => {
  const chat = [user('1'), said('2'), user('3'), said('4'), user('5')];
  const agent = [user('1'), called('a', 'b'), result('b'), result('a'), called('c'), result('c')];

  it.each([
    ['keeps what fits', chat, 5, chat],
    ['begins with a later user turn', chat, 4, chat.slice(2)],
    ['keeps the last turn, even if it is too long', chat, 0, chat.slice(4)],
    ['drops calls with their results, after the last user turn', agent, 4, agent.slice(4)],
    ['keeps a call with its result', agent, 1, agent.slice(4)],
    [
      'never begins between a call and a late result',
      [user('1'), called('a'), user('2'), result('a')],
      2,
      [user('1'), called('a'), user('2'), result('a')],
    ],
  ])('%s', async (_, turns, room, kept) => {
    expect(await fitted(turns, room)).toEqual(kept);
  });

  it('keeps everything that certainly fits, and the system text', async () => {
    const conversation = conversationOf(chat);
    expect(await fitTurns(conversation, async () => undefined)).toBe(conversation);
    expect((await fitTurns(conversation, roomFor(1))).system).toBe('Be brief.');
  });

  it('never parts a call from its result, for any conversation', async () => {
    const round = fc.constantFrom<(index: number) => readonly Turn[]>(
      (index) => [user(`${index}`)],
      (index) => [said(`${index}`)],
      (index) => [called(`${index}`), result(`${index}`)],
      (index) => [called(`${index}a`, `${index}b`), result(`${index}b`), result(`${index}a`)],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 12 }), fc.nat(12), async (rounds, room) => {
        const turns = rounds.flatMap((make, index) => make(index));
        const kept = await fitted(turns, room);
        expect(turns.slice(turns.length - kept.length)).toEqual(kept);
        const calls = new Set(
          kept.flatMap((turn) => (turn.role === 'assistant' ? turn.toolCalls : [])).map(({ id }) => id),
        );
        const results = new Set(kept.flatMap((turn) => (turn.role === 'tool' ? [turn.callId] : [])));
        expect(results).toEqual(calls);
      }),
      { seed: 2_026, numRuns: 200 },
    );
  });
});
