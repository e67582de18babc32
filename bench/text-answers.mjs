/** Events of the long stream: role, deltas, finish, usage and end. */
export const STREAM_EVENTS = 104;
export const EVENT_INTERVAL_MS = 4;
const SHORT_DELTAS = 8;
const BURST_EVENTS = 8;
const CHUNK_COMMON = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'bench' };
const USAGE = { prompt_tokens: 20, completion_tokens: 100, total_tokens: 120 };

const short = answersOf(SHORT_DELTAS);
const long = answersOf(STREAM_EVENTS - 4);
const json = {
  '/v1/models': whole({ object: 'list', data: [{ id: 'bench', object: 'model' }] }),
  '/tokenize': whole({ count: 20, max_model_len: 1_000_000, tokens: [] }),
};

/** The server's answer: at once, and then in pieces. The words [long], [bursts], [paced] and [hold] in the prompt select it. */
export function answerBytes(path, body) {
  if (json[path] !== undefined) return { now: json[path] };
  const format = formatOf(path, body);
  const streams = body.includes('"stream":true');
  if (body.includes('[hold]')) return { now: long[format].head + long[format].events.slice(0, 2).join('') };
  if (body.includes('[paced]')) return { now: long[format].head, pieces: long[format].paced };
  if (body.includes('[bursts]')) return { now: long[format].head, pieces: long[format].bursts };
  const answer = (body.includes('[long]') ? long : short)[format];
  return { now: streams ? answer.atOnce : answer.whole };
}

/** Servers like vLLM report usage in every chunk if asked to. */
function formatOf(path, body) {
  if (path === '/v1/messages') return 'messages';
  return body.includes('"continuous_usage_stats":true') ? 'countedChat' : 'chat';
}

function answersOf(deltas) {
  return {
    chat: answerOf(chatEvents(deltas), chatWhole(deltas)),
    countedChat: answerOf(countedChatEvents(deltas), chatWhole(deltas)),
    messages: answerOf(messagesEvents(deltas), messagesWhole(deltas)),
  };
}

function answerOf(texts, wholeAnswer) {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
  const events = texts.map(framed);
  const paced = [...events.slice(0, -1), `${events.at(-1)}0\r\n\r\n`];
  const bursts = inGroups(paced, BURST_EVENTS);
  return { head, events, paced, bursts, atOnce: head + paced.join(''), whole: whole(wholeAnswer) };
}

function inGroups(texts, size) {
  return Array.from({ length: Math.ceil(texts.length / size) }, (_, index) =>
    texts.slice(index * size, (index + 1) * size).join(''),
  );
}

function framed(text) {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

function whole(value) {
  const body = JSON.stringify(value);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function chatEvents(deltas) {
  const chunk = (delta, finish = null) =>
    data({ ...CHUNK_COMMON, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
  return [
    chunk({ role: 'assistant', content: '' }),
    ...Array.from({ length: deltas }, (_, index) => chunk({ content: ` word${index}` })),
    chunk({}, 'stop'),
    data({ ...CHUNK_COMMON, choices: [], usage: USAGE }),
    'data: [DONE]\n\n',
  ];
}

function countedChatEvents(deltas) {
  return chatEvents(deltas).map((text, index) => {
    const isUncounted = text.includes('[DONE]') || text.includes('"usage"');
    const usage = { prompt_tokens: 20, total_tokens: 20 + index, completion_tokens: index };
    return isUncounted ? text : data({ ...JSON.parse(text.slice('data: '.length)), usage });
  });
}

function chatWhole(deltas) {
  const message = { role: 'assistant', content: words(deltas) };
  return {
    ...CHUNK_COMMON,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: USAGE,
  };
}

function messagesEvents(deltas) {
  const event = (type, fields) => `event: ${type}\n${data({ type, ...fields })}`;
  const message = { ...messagesWhole(0), content: [], stop_reason: null };
  return [
    event('message_start', { message }) +
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...Array.from({ length: deltas }, (_, index) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: ` word${index}` } }),
    ),
    event('content_block_stop', { index: 0 }),
    event('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 100 },
    }),
    event('message_stop', {}),
  ];
}

function messagesWhole(deltas) {
  return {
    id: 'msg_bench',
    type: 'message',
    role: 'assistant',
    model: 'bench',
    content: [{ type: 'text', text: words(deltas) }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 20, output_tokens: 100 },
  };
}

function words(count) {
  return Array.from({ length: count }, (_, index) => ` word${index}`).join('');
}

function data(value) {
  return `data: ${JSON.stringify(value)}\n\n`;
}
