const COUNTER_DIGITS = 10;
const COUNTER = '#'.repeat(COUNTER_DIGITS);
const TOOLS = 300;
const PATHS = { chat: '/v1/chat/completions', messages: '/v1/messages', responses: '/v1/responses' };

/** The history of a conversation: a body of 0.2, 40 or 400 KB. */
const sizes = {
  small: { turns: 0, turnCharacters: 0, tools: 0 },
  '40 KB': { turns: 20, turnCharacters: 1_900, tools: 0 },
  '400 KB': { turns: 60, turnCharacters: 4_800, tools: TOOLS },
};

/** Makes the bytes of requests. Each has a different number in its prompt, so that nothing can be cached. */
export function requestMaker({ format, answer, streams, size = 'small', store = false }, headers) {
  const { turns, turnCharacters, tools: toolCount } = sizes[size];
  const messages = [
    ...history(turns, turnCharacters),
    { role: 'user', content: `Hello [${answer}] ${COUNTER}` },
  ];
  const body = JSON.stringify({
    model: 'bench',
    stream: streams,
    ...(streams && format === 'chat' ? { stream_options: { include_usage: true } } : {}),
    ...(format === 'responses'
      ? { max_output_tokens: 8_000, store, input: messages }
      : { max_tokens: 8_000, messages }),
    ...(toolCount === 0 ? {} : { tools: tools(format, toolCount) }),
  });
  const path = PATHS[format];
  const lines = Object.entries({
    host: 'bench',
    'content-type': 'application/json',
    accept: 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(format === 'messages' ? { 'anthropic-version': '2023-06-01' } : {}),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const template = Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  const position = template.indexOf(COUNTER);
  // Processes use different numbers, as they may share a server.
  const offset = Math.floor(Math.random() * 1e9);
  return (number) => {
    const bytes = Buffer.from(template);
    bytes.write(String(number + offset).padStart(COUNTER_DIGITS, '0'), position);
    return bytes;
  };
}

function history(turns, characters) {
  const words = 'The quick brown fox jumps over the lazy dog, then "rests".\n';
  const text = words.repeat(Math.ceil(characters / words.length)).slice(0, characters);
  return Array.from({ length: turns }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: text,
  }));
}

function tools(format, count) {
  return Array.from({ length: count }, (_, index) => {
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
