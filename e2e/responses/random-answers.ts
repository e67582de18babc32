import fc from 'fast-check';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { type Call, call, jsonCall } from '../../testing/http-call.ts';
import { HttpGateway } from '../../testing/http-gateway.ts';
import { eventLists } from '../../testing/text/event-lists.ts';
import { FakeTextEngine } from '../../testing/text/fake-text-engine.ts';

const PATH = '/v1/responses';
const KEY = 'sk-a';
const ANSWERS = 80;
type Fields = Readonly<Record<string, unknown>>;

/** A response as the gateway sends and keeps it. */
export interface RandomAnswer {
  /** The events, as they are sent. */
  readonly stream: string;
  /** The same response when it is read again. */
  readonly stored: Fields;
  /** The output of another request with the same answer, sent in one piece; absent if the answer fails. */
  readonly whole: readonly Fields[] | undefined;
}

const forms = fc.record({
  reasoning: fc.constantFrom(undefined, { summary: 'auto' }),
  include: fc.constantFrom([], ['reasoning.encrypted_content']),
});

const scripts = fc
  .record({ events: eventLists(), form: forms, inOneBatch: fc.boolean(), breaksAfter: fc.option(fc.nat(12)) })
  .map(({ events, form, inOneBatch, breaksAfter }) => {
    // A failure before the first block is an HTTP error; one after the finish is none.
    const fails = breaksAfter !== null && breaksAfter >= 2 && breaksAfter < events.length;
    const told = fails ? events.slice(0, breaksAfter) : events;
    const batches = inOneBatch ? [told] : told.map((event) => [event]);
    return { form, fails, script: fails ? [...batches, new Error('the model broke')] : batches };
  });

/** Random answers of a model through the whole gateway: blocks, thoughts, calls, refusals and failures. */
export async function randomAnswers(): Promise<readonly RandomAnswer[]> {
  const engine = new FakeTextEngine();
  const directory = new FakeCallerDirectory();
  directory.add(KEY, makeCaller());
  await using gateway = await HttpGateway.start({ directory, engines: [['gpu', engine]] });
  const send = async (request: Call) => (await call(gateway, { key: KEY, ...request })).body;
  const answers: RandomAnswer[] = [];
  for (const { form, fails, script } of fc.sample(scripts, { seed: 28, numRuns: ANSWERS })) {
    engine.script = script;
    const ask = (stream: boolean) =>
      send(jsonCall(PATH, KEY, JSON.stringify({ ...form, model: 'tiny', input: 'Hello', stream })));
    const stream = await ask(true);
    const [, id] = /"id":"(resp_\w+)"/.exec(stream) ?? [];
    const stored = JSON.parse(await send({ path: `${PATH}/${id}` }));
    answers.push({ stream, stored, whole: fails ? undefined : JSON.parse(await ask(false)).output });
  }
  return answers;
}
