import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { complianceCases, responseResource } from '../../testing/text/open-responses.ts';
import { parseResponseStream } from '../../testing/text/response-stream.ts';
import { TextGateway } from '../../testing/text/text-gateway.ts';

let gateway: TextGateway;
beforeAll(async () => {
  const callers = { 'sk-a': makeCaller({ stack: { models: ['m'] } }) };
  gateway = await TextGateway.start({ callers, engine: { vision: true } });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

it.each(complianceCases)('complies with Open Responses: $name', async ({ body, output }) => {
  const call = { id: 'call_1', name: 'get_weather', arguments: { location: 'San Francisco' } };
  gateway.upstream.respond(output[0] === 'message' ? { text: 'Hello there.' } : { toolCalls: [call] });
  const answer = await gateway.post('/v1/responses', { model: 'm', ...body }).answer();
  expect(answer.status).toBe(200);
  const events = body.stream === true ? parseResponseStream(answer.body) : [];
  const states = events.flatMap(({ response }) => (response === undefined ? [] : [response]));
  const responses = body.stream === true ? states : [JSON.parse(answer.body)];
  for (const response of responses) responseResource.parse(response);
  const last = responseResource.parse(responses.at(-1));
  expect(last).toMatchObject({ status: 'completed', error: null });
  expect(last.output.map(({ type }) => type)).toEqual(output);
  if (body.stream === true) expect(events.at(-1)?.type).toBe('response.completed');
});
