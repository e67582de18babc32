// The model server of the drill: counts the runs of each request, and flaps on command.
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { startFakeUpstream } from '../../testing/fake-upstream/fake-upstream.mjs';
import { makePng } from '../../testing/fake-upstream/make-png.mjs';
import { lowPort } from './low-port.mjs';
import { MODEL, TOKENS_PER_BUDGET_CHAT, TOKENS_PER_CHAT } from './stacks.mjs';

const MARK = 'drill-';
const TAG = /^drill-([a-z]+)-\d+/u;
const TAG_BYTES = 40;
const PROBE = /"max_tokens":1[,}]/u;
const SIDE = 1024;
const SMALL_IMAGES = 6;
const FAILING_SHARE = 0.6;
/** Failures before the first word, which cost nothing. */
const AT_ONCE = ['reset-before-headers', { mode: 'status', status: 500 }, { mode: 'status', status: 503 }];
const MIDWAY = ['reset-mid-stream', 'truncated-body'];
/** An image has none of these ends. */
const OF_CHATS = ['error-event', 'no-finish-reason'];

/** The tag of the next request of a stack, by which its runs are found again. */
export function tagOf(stack, number) {
  return `${MARK}${stack}-${String(number).padStart(6, '0')}`;
}

export class DrillUpstream {
  /** The runs of each tag: when they began and ended, whether they were to be answered as a whole, and were. */
  runs = new Map();
  /** The most requests of each stack at the same time. */
  peaks = new Map();
  isFlapping = false;
  #active = new Map();
  #random;
  #images;
  #server;

  static async start(random) {
    const upstream = new DrillUpstream();
    upstream.#random = random;
    upstream.#images = await makeImages();
    upstream.#server = await startFakeUpstream({
      port: await lowPort(),
      model: MODEL,
      contextWindow: 131_072,
    });
    upstream.#server.script((request) => upstream.#plan(request));
    return upstream;
  }

  get url() {
    return this.#server.url;
  }

  /** The runs of a stack on a path. */
  runsOf(stack, path) {
    const start = `${MARK}${stack}-`;
    const runs = [...this.runs].flatMap(([tag, list]) => (tag.startsWith(start) ? list : []));
    return runs.filter((run) => run.path === path);
  }

  refuse() {
    return this.#server.refuse();
  }

  accept() {
    return this.#server.accept();
  }

  close() {
    return this.#server.close();
  }

  async #plan(request) {
    if (request.method !== 'POST' || request.path.endsWith('/tokenize')) return undefined;
    const at = request.bytes.indexOf(MARK);
    const text = request.bytes.toString('latin1', Math.max(0, at), Math.max(0, at) + TAG_BYTES);
    const [tag = 'none', stack = 'none'] = TAG.exec(text) ?? [];
    const fail = this.#failure(stack, request.path);
    // While no tokenizer answers, the gateway has the model write one token to count a prompt. It is charged, but is no run of the request.
    const isProbe = PROBE.test(request.bytes.toString('latin1'));
    this.#note(request, { tag, stack, fail, isProbe });
    await sleep(20 + this.#random() * 130);
    const isExtraction = request.bytes.includes('total');
    return {
      fail,
      image: this.#images[request.serial % this.#images.length],
      // Every run says something else, so that a second run shows.
      text: isExtraction ? '{"total": "12.00"}' : `Run ${request.serial} of ${tag}.`,
      usage: usageOf(stack === 'budget' ? TOKENS_PER_BUDGET_CHAT : TOKENS_PER_CHAT),
    };
  }

  #failure(stack, path) {
    if (!this.isFlapping || this.#random() >= FAILING_SHARE) return undefined;
    const midway = path.includes('/images/') ? MIDWAY : [...MIDWAY, ...OF_CHATS];
    const failures = stack === 'shop' ? [...AT_ONCE, ...midway] : AT_ONCE;
    return failures[Math.floor(this.#random() * failures.length)];
  }

  #note(request, { tag, stack, fail, isProbe }) {
    const startedMs = performance.now();
    const run = {
      path: request.path,
      isProbe,
      startedMs,
      endedMs: undefined,
      mayBeWhole: fail === undefined,
      isWhole: false,
    };
    this.runs.set(tag, [...(this.runs.get(tag) ?? []), run]);
    const active = (this.#active.get(stack) ?? 0) + 1;
    this.#active.set(stack, active);
    this.peaks.set(stack, Math.max(active, this.peaks.get(stack) ?? 0));
    void request.ended.then((end) => {
      run.endedMs = performance.now();
      // One that is cut at its last byte may have arrived.
      run.isWhole = run.mayBeWhole && end === 'answered';
      this.#active.set(stack, this.#active.get(stack) - 1);
    });
  }
}

function usageOf(tokens) {
  const completion = Math.floor(tokens * 0.4);
  return { prompt_tokens: tokens - completion, completion_tokens: completion, total_tokens: tokens };
}

/** Small ones, and one whose answer is too large for a row of the database. */
async function makeImages() {
  const plain = Array.from({ length: SMALL_IMAGES }, (_, index) =>
    sharp({
      create: { width: SIDE, height: SIDE, channels: 3, background: { r: 40 * index, g: 90, b: 120 } },
    })
      .png()
      .toBuffer(),
  );
  return [...(await Promise.all(plain)), makePng({ width: SIDE, height: SIDE, seed: 7 })];
}
