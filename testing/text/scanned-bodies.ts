import fc from 'fast-check';
import { anyCharacter } from '../fuzz/any-character.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: anyCharacter }),
  fc.constantFrom('', '"', '\\', 'a\nb\tc', 'größer 語 🙂', '\u0001\u001f\u007f', '</s>', 'x'.repeat(300)),
);
const name = fc.string({ minLength: 1, maxLength: 12 });
const schema = fc.dictionary(
  fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('0', '__proto__', 'type', 'toString')),
  fc.jsonValue({ maxDepth: 3 }),
);

const userMessage = fc.record({ role: fc.constant('user'), content: text });
const assistantMessage = fc.record({ role: fc.constant('assistant'), content: text });

const call = fc.record({
  id: name,
  type: fc.constant('function'),
  function: fc.record({ name, arguments: fc.oneof(text, fc.json({ maxDepth: 2 })) }),
});

const chatMessage = fc.oneof(
  userMessage,
  assistantMessage,
  fc.record({ role: fc.constantFrom('system', 'developer'), content: text }),
  fc.record({ role: fc.constant('tool'), tool_call_id: fc.oneof(name, fc.constant('')), content: text }),
  fc.record({
    role: fc.constant('assistant'),
    content: fc.option(text),
    tool_calls: fc.array(call, { maxLength: 2 }),
  }),
);

const others = {
  temperature: fc.option(fc.double({ min: -1, max: 3, noNaN: true })),
  stream: fc.boolean(),
  max_tokens: fc.oneof(fc.integer({ min: -1, max: 20_000 }), fc.constantFrom(0.5, 1e300, 'many')),
  top_p: fc.oneof(fc.double({ min: -0.5, max: 1.5, noNaN: true }), fc.constant('all')),
  stream_options: fc.constantFrom(
    null,
    {},
    { include_usage: true },
    { include_usage: 1 },
    { other: true },
    [],
  ),
  max_completion_tokens: fc.oneof(fc.integer(), fc.constantFrom(null, '8000')),
  user: text,
};

/** Bodies of chat requests; many can be sent on unchanged, others cannot, and some are invalid. */
export const chatBodies = fc.record(
  {
    model: fc.constant('m'),
    messages: fc
      .tuple(
        fc.array(fc.record({ role: fc.constant('system'), content: text }), { maxLength: 1 }),
        fc.array(chatMessage, { maxLength: 5 }),
      )
      .map(([system, rest]) => [...system, ...rest]),
    tools: fc.array(
      fc.record({
        type: fc.constant('function'),
        function: fc.record(
          { name, description: text, parameters: schema, strict: fc.boolean() },
          { requiredKeys: ['name', 'parameters'] },
        ),
      }),
      { maxLength: 3 },
    ),
    tool_choice: fc.constantFrom(null, 'auto', 'required', 'none'),
    ...others,
  },
  { requiredKeys: ['model', 'messages'] },
);

/** The same for messages requests. */
export const messagesBodies = fc.record(
  {
    model: fc.constant('m'),
    messages: fc
      .array(fc.tuple(userMessage, assistantMessage), { maxLength: 3 })
      .chain((pairs) =>
        fc
          .tuple(
            fc.constant(pairs.flat()),
            fc.array(fc.oneof(userMessage, assistantMessage), { maxLength: 2 }),
          )
          .map(([some, more]) => [...some, ...more]),
      ),
    system: text,
    tools: fc.array(
      fc.record(
        { name, description: text, input_schema: schema, cache_control: fc.constant({ type: 'ephemeral' }) },
        { requiredKeys: ['name', 'input_schema'] },
      ),
      { maxLength: 3 },
    ),
    tool_choice: fc.constantFrom(null, { type: 'auto' }, { type: 'any', disable_parallel_tool_use: true }),
    ...others,
  },
  { requiredKeys: ['model', 'messages'] },
);

/** Texts that differ from a valid one by a few bytes: cut, doubled, moved, or replaced. */
export function mutatedBytes(bodies: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const change = fc.record({
    at: fc.nat(),
    length: fc.nat({ max: 4 }),
    put: fc.oneof(
      fc.constantFrom(
        '',
        ' ',
        '"',
        '\\',
        ',',
        '{',
        '}',
        '[',
        ']',
        ':',
        '\n',
        '\\u0041',
        '\\/',
        '1.0',
        '-0',
        '00',
        'null',
        '"x":1,',
        '\u00ff',
      ),
      fc.string({ maxLength: 3 }),
    ),
  });
  return fc.tuple(bodies, fc.array(change, { minLength: 1, maxLength: 2 })).map(([body, changes]) =>
    changes.reduce(
      (bytes, { at, length, put }) => {
        const from = at % (bytes.length + 1);
        return Buffer.concat([
          bytes.subarray(0, from),
          Buffer.from(put, 'latin1'),
          bytes.subarray(from + length),
        ]);
      },
      Buffer.from(JSON.stringify(body)),
    ),
  );
}
