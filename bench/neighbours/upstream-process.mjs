// The model servers, in their own process. The prompt selects the answer, so that attacks consist of requests only: `[[wait
// 8000]]` after so many milliseconds, `[[fail 500]]` with that status, `[[say …]]` with that text. Counts templates that got
// through.
import { setTimeout as sleep } from 'node:timers/promises';
import { startFakeUpstream } from '../../testing/fake-upstream/fake-upstream.mjs';
import { makePng } from '../../testing/fake-upstream/make-png.mjs';

// Reading larger bodies would keep this process busy and count against the gateway.
const MAXIMUM_BODY_BYTES = 1_000_000;
const image = makePng({ width: 1024, height: 1024, seed: 7 });
const upstream = await startFakeUpstream({
  model: 'fake-model',
  contextWindow: 131_072,
  maximumBodyBytes: MAXIMUM_BODY_BYTES,
  maximumRequests: 100,
});
let templates = 0;

upstream.script(async ({ path, bytes, body }) => {
  if (path.startsWith('/v1/images/')) return { image };
  if (body?.chat_template !== undefined || body?.chat_template_kwargs?.chat_template !== undefined)
    templates += 1;
  const text = bytes.toString();
  const waitMs = /\[\[wait (\d+)\]\]/u.exec(text)?.[1];
  const status = /\[\[fail (\d+)\]\]/u.exec(text)?.[1];
  const said = /\[\[say (.*?)\]\]/u.exec(text)?.[1];
  if (waitMs !== undefined) await sleep(Number(waitMs));
  if (status !== undefined) return { fail: { mode: 'status', status: Number(status) } };
  // The words are inside a JSON string.
  return said === undefined ? undefined : { text: JSON.parse(`"${said}"`) };
});

process.once('disconnect', () => process.exit());
process.on('message', () => process.send({ templates }));
process.send({ url: upstream.url });
