import { loadClient, outcomesOf, printReport, readTask } from './client-report.mjs';
import { factsSchema, weather, weatherDescription, weatherSchema } from './weather-tool.mjs';

const task = readTask();
const sdk = loadClient(task);
const client = clientWith(task.key);
const tools = [{ name: 'weather', description: weatherDescription, input_schema: weatherSchema }];
const comparing = [{ role: 'user', content: 'Compare the weather' }];
const asking = (text) => ({
  model: task.plainModel,
  max_tokens: 8000,
  messages: [{ role: 'user', content: text }],
});

printReport(
  await outcomesOf(sdk, {
    whole: async () => summary(await client.messages.create(asking('Say hello'))),
    iterated: () => iterate(asking('Say hello')),
    helper: async () => summary(await client.messages.stream(asking('Say hello')).finalMessage()),
    thoughts: async () => summary(await client.messages.stream(asking('Think first')).finalMessage()),
    stopped: async () =>
      summary(
        await client.messages.stream({ ...asking('Stop early'), stop_sequences: ['END'] }).finalMessage(),
      ),
    counted: () => countEqual({ ...asking('Say hello'), system: 'Be brief.' }),
    countedWithTools: () => countEqual({ ...asking('Compare the weather'), tools }),
    roundTrip: () => roundTrip((request) => client.messages.create(request)),
    streamedRoundTrip: () => roundTrip((request) => client.messages.stream(request).finalMessage()),
    forced: () => force(),
    failed: () => client.messages.create(asking('Fail at once')),
    overloaded: () => client.messages.create(asking('Be overloaded')),
    streamedFailed: () => iterate(asking('Fail at once')),
    streamedOverloaded: () => iterate(asking('Be overloaded')),
    broken: () => iterate(asking('Break midway')),
    helperBroken: () => client.messages.stream(asking('Break midway')).finalMessage(),
    badField: () => client.messages.create({ ...asking('Say hello'), temperature: 9 }),
    wrongKey: () => clientWith(task.wrongKey).messages.create(asking('Say hello')),
    wrongKeyToCount: () => count(asking('Say hello'), clientWith(task.wrongKey)),
    shown: () => show({ ...asking(task.readerQuestion), include: ['knowledge'] }),
    left: () => leave(`Never end ${task.alias} ${task.credential}`),
  }),
);

// The other credential is null, otherwise the client reads it from the environment.
function clientWith(key) {
  const credentials = { apiKey: null, authToken: null, [task.credential]: key };
  return new sdk.Anthropic({ ...credentials, baseURL: task.url, maxRetries: 0 });
}

function summary({ type, role, model, content, stop_reason: stop, stop_sequence: sequence, usage }) {
  const { input_tokens: input, output_tokens: output } = usage;
  const text = content.map((block) => block.text ?? '').join('');
  const types = content.map((block) => block.type);
  return { type, role, model, text, types, stop, sequence, input, output };
}

/** The documents of the passages that come with an answer. */
async function show(request) {
  const { messages } = clientWith(task.readerKey);
  const { knowledge } = await messages.create(request);
  const events = [];
  for await (const event of await messages.create({ ...request, stream: true })) events.push(event);
  const streamed = events.flatMap((event) => event.knowledge ?? []);
  return [knowledge, streamed].map((passages) => passages.map(({ document }) => document));
}

async function iterate(request) {
  const events = [];
  for await (const event of await client.messages.create({ ...request, stream: true })) events.push(event);
  const types = events.map(({ type }) => type).filter((type) => type !== 'ping');
  return {
    types: types.filter((type, index) => type !== types[index - 1]),
    text: events.map((event) => event.delta?.text ?? '').join(''),
    start: events.find(({ type }) => type === 'message_start').message.usage,
    end: events.find(({ type }) => type === 'message_delta').usage,
  };
}

async function count({ max_tokens: _unused, ...body }, asked = client) {
  const counted =
    asked.messages.countTokens === undefined
      ? // Clients before 0.39 cannot count, but take any path.
        await asked.post('/v1/messages/count_tokens', { body })
      : await asked.messages.countTokens(body);
  return counted.input_tokens;
}

/** The same request counted, answered whole and answered as a stream. */
async function countEqual(request) {
  const [counted, whole, streamed] = await Promise.all([
    count(request),
    client.messages.create(request),
    iterate(request),
  ]);
  return { counted, whole: whole.usage.input_tokens, start: streamed.start.input_tokens };
}

async function roundTrip(answer) {
  const request = { ...asking(''), tools, messages: comparing };
  const called = await answer(request);
  const uses = called.content.filter(({ type }) => type === 'tool_use');
  const content = uses.map(({ id, input }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: weather(input),
  }));
  const turns = [
    { role: 'assistant', content: called.content },
    { role: 'user', content },
  ];
  const told = await answer({ ...request, messages: [...comparing, ...turns] });
  return {
    uses: uses.map(({ id, name, input }) => [id, name, input]),
    stop: called.stop_reason,
    ...textOf(told),
  };
}

function textOf({ content }) {
  return { text: content.map((block) => block.text ?? '').join('') };
}

async function force() {
  const facts = [{ name: 'facts', input_schema: factsSchema }];
  const choice = { type: 'tool', name: 'facts' };
  const message = await client.messages.create({
    ...asking('Give the facts'),
    tools: facts,
    tool_choice: choice,
  });
  return message.content[0].input;
}

async function leave(question) {
  const stream = await client.messages.create({ ...asking(question), stream: true });
  let text = '';
  for await (const event of stream) {
    text += event.delta?.text ?? '';
    if (text !== '') stream.controller.abort();
  }
  return { question, hasText: text !== '' };
}
