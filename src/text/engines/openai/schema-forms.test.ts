import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CountingClock } from '../../../../testing/bad-child/clocks.ts';
import {
  type FakeUpstream,
  type RecordedRequest,
  startFakeUpstream,
} from '../../../../testing/fake-upstream/fake-upstream.mjs';
import { conversationOf } from '../../../../testing/text/engine-conversations.ts';
import { closeWhole, failureOf, openAiEngineFor } from '../../../../testing/text/engine-openai.ts';
import { collectReply } from '../../reply.ts';
import type { OpenAiEngine } from './openai-engine.ts';

const never = new AbortController().signal;
const plain = { signal: never, countFirst: false };
const CHAT = '/v1/chat/completions';
const schema = { type: 'object', properties: { a: { type: 'integer' } } };
const asked = conversationOf({ system: 'Be brief.', output: { type: 'schema', name: 'answer', schema } });

let upstream: FakeUpstream;
let engine: OpenAiEngine;
let clock: CountingClock;

beforeEach(async () => {
  clock = new CountingClock();
  upstream = await startFakeUpstream();
  engine = openAiEngineFor([upstream], { made: { clock } });
  await engine.lifecycle.ready(AbortSignal.timeout(60_000));
});
afterEach(async () => {
  await closeWhole(engine, [upstream], clock);
  await upstream.close();
});

/** The server takes a request only if it has one of these members. */
function takesOnly(...members: readonly string[]): void {
  upstream.script(({ path, body }) => {
    if (path !== CHAT) return undefined;
    return members.some((member) => JSON.stringify(body).includes(member))
      ? { text: '{"a": 1}' }
      : { fail: { mode: 'status', status: 400 } };
  });
}

const chats = (): readonly RecordedRequest[] => upstream.requests.filter(({ path }) => path === CHAT);

describe('a schema', () => {
  it.each([
    [
      '"json_schema"',
      1,
      { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } } },
    ],
    ['"guided_json"', 2, { guided_json: schema }],
    ['"structured_outputs"', 3, { structured_outputs: { json: schema } }],
    ['"json_object"', 4, { response_format: { type: 'json_object' } }],
  ])('is sent in the form that the server takes, found out once: %s', async (member, tries, expected) => {
    takesOnly(member);
    for (const _ of [1, 2]) {
      const reply = await collectReply(engine.answer(asked, plain));
      expect(reply.blocks[0]?.text).toBe('{"a": 1}');
    }
    expect(chats()).toHaveLength(tries + 1);
    expect(chats().at(-1)?.body).toMatchObject(expected);
  });

  it('stands in the prompt where the server takes none', async () => {
    takesOnly('"json_object"');
    await collectReply(engine.answer(asked, plain));
    const text = JSON.stringify(chats().at(-1)?.body);
    expect(text).toContain('Be brief.');
    expect(text).toContain('satisfies this JSON Schema');
  });

  it('that is refused in every form is a refusal, and nothing is remembered', async () => {
    takesOnly('nothing has this');
    expect((await failureOf(engine.answer(asked, plain))).fault.code).toBe('engine-refused');
    takesOnly('"json_schema"');
    await collectReply(engine.answer(asked, plain));
    expect(chats()).toHaveLength(5);
  });

  it('is not sent again when the server fails otherwise', async () => {
    upstream.script(({ path }) => (path === CHAT ? { fail: { mode: 'status', status: 500 } } : undefined));
    expect((await failureOf(engine.answer(asked, plain))).fault.code).toBe('engine-failed');
    expect(chats()).toHaveLength(1);
  });
});
