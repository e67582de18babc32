import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_MESSAGE_BYTES, MessageFramer } from './message-framer.ts';
import {
  encodeMessage,
  encodeQuery,
  encodeText,
  fromClient,
  prefixNames,
  sqlOf,
  statementOf,
  WireProtocolError,
} from './wire-messages.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 80 }).filter((value) => !value.includes('\0'));
const bytes = fc.uint8Array({ maxLength: 200 }).map((value) => Buffer.from(value));
const anyMessage = fc
  .tuple(fc.integer({ min: 1, max: 255 }), bytes)
  .map(([type, body]) => encodeMessage(type, body));

function parse(name: string, sql: string): Buffer {
  return encodeMessage(fromClient.parse, encodeText(name), encodeText(sql), Buffer.from([0, 0]));
}

function cut(stream: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let position = 0;
  for (const size of sizes) {
    chunks.push(stream.subarray(position, position + size));
    position = Math.min(position + size, stream.length);
  }
  return [...chunks, stream.subarray(position)];
}

describe('the message framer', () => {
  it('returns the same messages for any split of the bytes', () => {
    fc.assert(
      fc.property(fc.array(anyMessage), fc.array(fc.integer({ min: 0, max: 50 })), (messages, sizes) => {
        const framer = new MessageFramer('messages');
        const framed = cut(Buffer.concat(messages), sizes).flatMap((chunk) => framer.push(chunk));
        expect(framed.map((each) => each.bytes)).toEqual(messages);
      }),
    );
  });

  it('reads packets without a type byte up to the start-up packet', () => {
    const tls = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
    const startup = Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0]);
    const query = encodeQuery('SELECT 1');
    const framed = new MessageFramer('startup').push(Buffer.concat([tls, startup, query]));
    expect(framed).toEqual([
      { isStartup: true, bytes: tls },
      { isStartup: true, bytes: startup },
      { isStartup: false, bytes: query },
    ]);
  });

  it.each([3, -1, MAX_MESSAGE_BYTES + 1])('refuses a message that claims %i bytes', (length) => {
    const header = Buffer.alloc(5, 'Q');
    header.writeInt32BE(length, 1);
    expect(() => new MessageFramer('messages').push(header)).toThrow(WireProtocolError);
  });
});

describe('prefixed names', () => {
  it('change the name of a statement and nothing else', () => {
    fc.assert(
      fc.property(text, text, (name, sql) => {
        const renamed = prefixNames(parse(name, sql), 'c1:');
        expect(sqlOf(renamed)).toBe(sql);
        expect(renamed.readInt32BE(1)).toBe(renamed.length - 1);
        if (name === '') expect(renamed).toEqual(parse('', sql));
        else expect(statementOf(renamed)?.startsWith('c1:')).toBe(true);
      }),
    );
  });

  it('are distinct for distinct names, even where PostgreSQL would truncate them', () => {
    const named = (name: string) => statementOf(prefixNames(parse(name, ''), 'c12:'));
    const cutNames = fc.tuple(text, text, fc.constantFrom('', 'n'.repeat(61)));
    fc.assert(
      fc.property(cutNames, ([first, second, start]) => {
        fc.pre(first !== second);
        expect(named(start + first)).not.toBe(named(start + second));
        expect(Buffer.byteLength(named(start + first) ?? '')).toBeLessThanOrEqual(63);
      }),
    );
  });

  it('are the same in every message that names the statement or portal', () => {
    const rest = Buffer.from([0, 0, 0, 0, 0, 0]);
    const bind = encodeMessage(fromClient.bind, encodeText('portal'), encodeText('statement'), rest);
    const describeStatement = encodeMessage(fromClient.describe, encodeText('Sstatement'));
    const describePortal = encodeMessage(fromClient.describe, encodeText('Pportal'));
    const execute = encodeMessage(fromClient.execute, encodeText('portal'), Buffer.alloc(4));
    expect(statementOf(prefixNames(bind, 'c1:'))).toBe('c1:statement');
    expect(statementOf(prefixNames(describeStatement, 'c1:'))).toBe('c1:statement');
    expect(prefixNames(bind, 'c1:').includes('c1:portal\0')).toBe(true);
    expect(prefixNames(describePortal, 'c1:')).toEqual(
      encodeMessage(fromClient.describe, encodeText('Pc1:portal')),
    );
    expect(prefixNames(execute, 'c1:')).toEqual(
      encodeMessage(fromClient.execute, encodeText('c1:portal'), Buffer.alloc(4)),
    );
  });

  it('are refused if a name is not terminated', () => {
    const endless = encodeMessage(fromClient.execute, Buffer.from('portal'));
    expect(() => prefixNames(endless, 'c1:')).toThrow(WireProtocolError);
  });
});
