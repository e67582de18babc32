import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileService } from '../../../../testing/files/file-service.ts';
import { messagesCorpus } from '../../../../testing/text/messages-corpus.ts';
import { chatBodies, messagesBodies, mutatedBytes } from '../../../../testing/text/scanned-bodies.ts';
import { Fault } from '../../../faults/fault.ts';
import type { JsonBytes } from '../../../upstream/upstream-call.ts';
import { changed } from '../../conversation.ts';
import { PromptBuilder } from '../../prompt-builder.ts';
import type { TextWire } from '../../text-wire.ts';
import { chatWire } from '../../wire/chat/chat-wire.ts';
import { scanChatBody } from '../../wire/chat/scan-chat-body.ts';
import { scanParsedPrompt } from '../../wire/formats/scan-prompt.ts';
import { messagesWire } from '../../wire/messages/messages-wire.ts';
import { scanMessagesBody } from '../../wire/messages/scan-messages-body.ts';
import { writeBody } from './written-body.ts';

const formats = [
  { name: 'chat', wire: chatWire, scan: scanChatBody, bodies: chatBodies },
  { name: 'messages', wire: messagesWire, scan: scanMessagesBody, bodies: messagesBodies },
] as const;

const context = { models: ['m'], answerId: 'a', created: 1 };
const builder = new PromptBuilder({
  reader: { read: async () => 'read' },
  retriever: undefined,
  files: fileService(),
});
const RUNS = 400;

/** The result of a body: the request sent to a server, or the fault sent to the client. */
async function outcome(wire: TextWire, body: unknown) {
  try {
    const { streaming, ...asked } = wire.open(body, context);
    const settings = {
      stackId: 'shop',
      systemPrompt: 'Be brief – 短く.',
      temperature: 0.7,
      cacheScope: 'shop',
      retrieval: undefined,
      hasVision: false,
    };
    const prompt = await builder.build(asked, settings, {
      signal: new AbortController().signal,
    });
    const written = writeBody(prompt, { model: 'm', hasVision: false, defaultTemperature: 0.7 });
    const json = written.json({ ...written.fields, stream: true });
    const { system, turns, tools } = prompt.conversation;
    return {
      streaming,
      read: { system, turns, tools },
      sent: typeof json === 'string' ? json : textOf(json),
      bound: written.tokenBound(),
      hash: written.promptHash(),
    };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { fault: error.message, param: error.param };
  }
}

function textOf({ pieces }: JsonBytes): string {
  const bytes = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece));
  return Buffer.concat(bytes).toString();
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

describe.each(formats)('a scanned $name body', ({ name, wire, scan, bodies }) => {
  /** Whether it could be scanned at all. */
  async function expectAgreement(bytes: Buffer): Promise<boolean> {
    const scanned = scan(bytes);
    if (scanned === undefined) return false;
    const body = parse(bytes);
    expect(body).toBeDefined();
    expect(await outcome(wire, scanned)).toEqual(await outcome(wire, body));
    return true;
  }

  test('is sent, read and refused as a parsed one', async () => {
    let scannedCount = 0;
    const agrees = fc.asyncProperty(bodies, async (body) => {
      if (await expectAgreement(Buffer.from(JSON.stringify(body)))) scannedCount += 1;
    });
    await fc.assert(agrees, { numRuns: RUNS });
    expect(scannedCount).toBeGreaterThan(RUNS / 20);
  });

  test('is parsed or scanned to the same result after random changes', async () => {
    const agrees = fc.asyncProperty(mutatedBytes(bodies), async (bytes) => {
      await expectAgreement(bytes);
    });
    await fc.assert(agrees, { numRuns: RUNS });
  });

  test('is the same if it was parsed first and serialized again', async () => {
    let scannedCount = 0;
    const agrees = fc.asyncProperty(bodies, async (body) => {
      const parsed = JSON.parse(JSON.stringify(body));
      const scanned = scanParsedPrompt(name, parsed);
      if (scanned === undefined) return;
      expect(await outcome(wire, scanned)).toEqual(await outcome(wire, parsed));
      scannedCount += 1;
    });
    await fc.assert(agrees, { numRuns: RUNS / 2 });
    expect(scannedCount).toBeGreaterThan(RUNS / 40);
  });

  test('keeps numbers that JSON cannot write if it was parsed first', () => {
    const lists = '"messages":[{"role":"user","content":"x"}]';
    const parsed = JSON.parse(`{"model":"m","max_tokens":5,"temperature":1e400,"top_p":-0,${lists}}`);
    expect(scanParsedPrompt(name, parsed)?.fields).toEqual({
      model: 'm',
      max_tokens: 5,
      temperature: Number.POSITIVE_INFINITY,
      top_p: -0,
    });
  });

  test('is parsed or scanned to the same result for requests of agents', async () => {
    for (const { body } of messagesCorpus()) await expectAgreement(Buffer.from(JSON.stringify(body)));
  });
});

test('a very long scanned body is sent unchanged', () => {
  // Puts every escape and every multi-byte character on a boundary once.
  const content = '😀ü"\\\n短'.repeat(20_000);
  for (const before of ['', 'a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef', 'abcdefg']) {
    const message = JSON.stringify({ role: 'user', content: before + content });
    const scanned = scanChatBody(Buffer.from(`{"model":"m","messages":[${message},${message}]}`));
    expect(scanned?.lists.messages.toString()).toBe(`${message},${message}`);
    const broken = message.slice(0, -3).concat('\\u0041"}');
    expect(scanChatBody(Buffer.from(`{"model":"m","messages":[${message},${broken}]}`))).toBeUndefined();
  }
});

test('a copy of a scanned conversation is sent with its own turns', () => {
  const scanned = scanChatBody(Buffer.from('{"model":"m","messages":[{"role":"user","content":"x"}]}'));
  const { conversation } = chatWire.open(scanned, context);
  const copy = changed(conversation, { turns: [] });
  const json = writeBody(
    { conversation: copy },
    { model: 'm', hasVision: false, defaultTemperature: 0.7 },
  ).json({});
  expect(json).toContain('"messages":[]');
});

describe('bodies that are not scanned', () => {
  const message = '{"role":"user","content":"x"}';
  test.each([
    ['an unknown name in a message', '{"model":"m","messages":[{"role":"user","content":"x","name":"y"}]}'],
    [
      'an unknown name in a tool',
      `{"model":"m","messages":[${message}],"tools":[{"type":"function","function":{"name":"f","parameters":{}},"x":1}]}`,
    ],
    ['an escape that is written otherwise', '{"model":"m","messages":[{"role":"user","content":"\\u0041"}]}'],
    ['a space', `{"model":"m", "messages":[${message}]}`],
    ['a name in disguise', `{"model":"m","messages":[${message}],"mess\\u0061ges":[]}`],
    ['a second list', `{"model":"m","messages":[${message}],"messages":[${message}]}`],
    [
      'a schema that names a member twice',
      `{"model":"m","messages":[${message}],"tools":[{"type":"function","function":{"name":"f","parameters":{"a":1,"b":2,"a":3}}}]}`,
    ],
    ['a late system message', `{"model":"m","messages":[${message},{"role":"system","content":"x"}]}`],
    ['no message', '{"model":"m","messages":[]}'],
  ])('%s', (_, text) => {
    expect(scanChatBody(Buffer.from(text))).toBeUndefined();
  });

  test('a body that is not UTF-8', () => {
    expect(
      scanChatBody(Buffer.from(`{"model":"m","messages":[{"role":"user","content":"ü"}]}`, 'latin1')),
    ).toBeUndefined();
  });

  test('but the usual body is', () => {
    expect(scanChatBody(Buffer.from(`{"model":"m","messages":[${message}]}`))).toBeDefined();
    expect(scanMessagesBody(Buffer.from(`{"model":"m","messages":[${message}]}`))).toBeDefined();
  });
});
