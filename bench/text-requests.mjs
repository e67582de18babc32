const COUNTER_DIGITS = 10;
const COUNTER = '#'.repeat(COUNTER_DIGITS);
const LARGE_TURNS = 60;
const LARGE_TURN_CHARACTERS = 4_800;
const TOOLS = 300;

/** Makes the bytes of requests. Each differs by a number in its prompt, as real ones do, so that nothing can be remembered. */
export function requestMaker({ format, answer, streams, large = false }, key) {
  const body = JSON.stringify({
    model: 'bench',
    max_tokens: 8_000,
    stream: streams,
    ...(streams && format === 'chat' ? { stream_options: { include_usage: true } } : {}),
    messages: [...(large ? history() : []), { role: 'user', content: `Hello [${answer}] ${COUNTER}` }],
    ...(large ? { tools: tools(format) } : {}),
  });
  const path = format === 'chat' ? '/v1/chat/completions' : '/v1/messages';
  const head = `POST ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\naccept: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  const template = Buffer.from(head + body);
  const position = template.indexOf(COUNTER);
  // Numbers of different processes may meet the same server.
  const offset = Math.floor(Math.random() * 1e9);
  return (number) => {
    const bytes = Buffer.from(template);
    bytes.write(String(number + offset).padStart(COUNTER_DIGITS, '0'), position);
    return bytes;
  };
}

/** About 290 KB of turns; with the tools it is a body of 400 KB. */
function history() {
  const words = 'The quick brown fox jumps over the lazy dog, then "rests".\n';
  const text = words.repeat(Math.ceil(LARGE_TURN_CHARACTERS / words.length)).slice(0, LARGE_TURN_CHARACTERS);
  return Array.from({ length: LARGE_TURNS }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: text,
  }));
}

function tools(format) {
  return Array.from({ length: TOOLS }, (_, index) => {
    const name = `tool_${index}`;
    const description = 'Looks up one record of the inventory and returns what is known of it.';
    const schema = {
      type: 'object',
      properties: {
        id: { type: 'string', description: 'Which record.' },
        limit: { type: 'integer', minimum: 1, maximum: 100 },
        fields: { type: 'array', items: { type: 'string', enum: ['name', 'price', 'stock'] } },
      },
      required: ['id'],
    };
    return format === 'chat'
      ? { type: 'function', function: { name, description, parameters: schema } }
      : { name, description, input_schema: schema };
  });
}
