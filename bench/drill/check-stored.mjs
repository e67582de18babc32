// Everything that was acknowledged is there, at any replica, byte by byte.
import { setTimeout as sleep } from 'node:timers/promises';
import { hashOf, outputOf } from './drill-requests.mjs';
import { keyOf } from './stacks.mjs';

const PAGE = 100;
const READ_BOUND_MS = 20_000;
// A 503 asks to come back: a replica whose pool of connections is busy has lost nothing.
const REPEATS = 5;
const REPEAT_AFTER_MS = 2_000;
const SETTLED_BOUND_MS = 150_000;
const POLL_MS = 500;
const AT_ONCE = 8;

/** One line for each kind of thing, with what is missing or changed. */
export async function checkStored({ replicas }, kept) {
  const images = await listImages(replicas, kept);
  const endsMs = performance.now() + SETTLED_BOUND_MS;
  const checks = {
    image: checkImage,
    file: checkFile,
    document: checkDocument,
    response: checkResponse,
    background: checkBackground,
  };
  const names = {
    image: 'acknowledged images are stored, with the bytes that were answered',
    file: 'acknowledged files are stored, with the bytes that were sent',
    document: 'acknowledged documents are stored and become ready',
    response: 'acknowledged responses are stored, with the text that was answered',
    background: 'acknowledged responses in the background come to an end',
  };
  const results = [];
  for (const type of Object.keys(checks)) {
    const things = kept.filter((thing) => thing.type === type);
    const problems = await checkAll(things, (thing, index) =>
      checks[type](thing, reader(replicas[index % replicas.length], thing.stack), { images, endsMs }),
    );
    results.push({ promise: names[type], checked: things.length, problems });
  }
  return results;
}

async function checkAll(things, check) {
  const problems = [];
  const rest = [...things.entries()];
  const work = async () => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      const [index, thing] = next;
      const problem = await check(thing, index).catch((error) => String(error));
      if (problem !== undefined) problems.push(`${thing.tag}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return problems;
}

function reader(replica, stack) {
  return async (path) => {
    const ask = () =>
      fetch(replica.url + path, {
        headers: { authorization: `Bearer ${keyOf(stack)}` },
        signal: AbortSignal.timeout(READ_BOUND_MS),
      });
    let response = await ask();
    for (let repeat = 0; response.status === 503 && repeat < REPEATS; repeat++) {
      await sleep(REPEAT_AFTER_MS);
      response = await ask();
    }
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok) throw new Error(`${response.status} at ${replica.name}: ${bytes.subarray(0, 200)}`);
    return bytes;
  };
}

/** The images of each stack by their prompt, which is a tag; a prompt may have several. */
async function listImages(replicas, kept) {
  const found = new Map();
  for (const stack of new Set(kept.filter(({ type }) => type === 'image').map((thing) => thing.stack))) {
    const read = reader(replicas[0], stack);
    for (let cursor = ''; cursor !== undefined; ) {
      const page = JSON.parse(await read(`/v1/images?limit=${PAGE}${cursor && `&cursor=${cursor}`}`));
      for (const { id, prompt } of page.data) found.set(prompt, [...(found.get(prompt) ?? []), id]);
      cursor = page.has_more ? page.next_cursor : undefined;
    }
  }
  return found;
}

async function checkImage({ prompt, sha256 }, read, { images }) {
  const hashes = await Promise.all(
    (images.get(prompt) ?? []).map(async (id) => hashOf(await read(`/v1/images/${id}`))),
  );
  return hashes.includes(sha256) ? undefined : `not among the ${hashes.length} stored images of its prompt`;
}

async function checkFile({ id, sha256 }, read) {
  return hashOf(await read(`/v1/files/${id}/content`)) === sha256 ? undefined : 'other bytes';
}

async function checkDocument({ id, sha256 }, read, { endsMs }) {
  const document = await until(
    endsMs,
    async () => JSON.parse(await read(`/v1/knowledge/${id}`)),
    ({ state }) => state === 'ready' || state === 'failed',
  );
  if (document.sha256 !== sha256) return 'other bytes';
  return document.state === 'ready' ? undefined : `${document.state}: ${document.failure}`;
}

async function checkResponse({ id, text }, read) {
  const stored = JSON.parse(await read(`/v1/responses/${id}`));
  return stored.status === 'completed' && outputOf(stored).text === text ? undefined : `is ${stored.status}`;
}

/** One may have failed: with the model server, or with three replicas. */
async function checkBackground({ id }, read, { endsMs }) {
  const { status } = await until(
    endsMs,
    async () => JSON.parse(await read(`/v1/responses/${id}`)),
    (response) => response.status !== 'queued' && response.status !== 'in_progress',
  );
  return status === 'completed' || status === 'failed' ? undefined : `still ${status}`;
}

async function until(endsMs, look, isOver) {
  for (;;) {
    const seen = await look();
    if (isOver(seen) || performance.now() > endsMs) return seen;
    await sleep(POLL_MS);
  }
}
