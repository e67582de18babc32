import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../soak/seeded-random.mjs';
import { background, chats, images, mixed, models, pickKind, repeatable } from './drill-requests.mjs';
import { tagOf } from './drill-upstream.mjs';

/** Stack, kinds of requests, clients, and the pause between two requests of a client. */
const CROWDS = [
  { stack: 'shop', kinds: mixed, clients: 4, pauseMs: 300 },
  { stack: 'later', kinds: background, clients: 1, pauseMs: 800 },
  { stack: 'rate', kinds: models, clients: 2, pauseMs: 150 },
  { stack: 'places', kinds: chats, clients: 5, pauseMs: 250 },
  { stack: 'budget', kinds: chats, clients: 2, pauseMs: 600 },
  { stack: 'art', kinds: images, clients: 4, pauseMs: 300 },
];
const NAMED_CLIENTS = 4;
const PATIENCE_MS = 30_000;
const MOST_TRIES = 25;
const AT_ONCE_SHARE = 0.2;
const AGAIN_SHARE = 0.3;

/** Clients of all stacks, each request at any replica. */
export class Load {
  #parts;
  #loops = [];
  #numbers = new Map();
  #isOver = false;

  /** `book` notes everything; `seed` decides who asks what and where. */
  constructor({ replicas, book, seed }) {
    this.#parts = { replicas, book, seed };
  }

  start() {
    const acts = CROWDS.flatMap((crowd) =>
      Array.from({ length: crowd.clients }, () => [(random) => this.#ask(crowd, random), crowd.pauseMs]),
    );
    const named = Array.from({ length: NAMED_CLIENTS }, () => [(random) => this.#askNamed(random), 300]);
    this.#loops = [...acts, ...named].map(([act, pauseMs], index) =>
      this.#repeat(act, pauseMs, seededRandom(this.#parts.seed * 1_000 + index)),
    );
  }

  /** Begins nothing new, and waits for what was begun. */
  async stop() {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  async #repeat(act, pauseMs, random) {
    while (!this.#isOver) {
      await act(random);
      await sleep(pauseMs * 2 * random());
    }
  }

  async #ask({ stack, kinds }, random) {
    const { book } = this.#parts;
    const kind = pickKind(kinds, random);
    const tag = this.#nextTag(stack);
    const replica = this.#anyReplica(random);
    const request = kind.make(tag);
    const answer = await book.send({ replica, stack, kind, request, patienceMs: PATIENCE_MS });
    if (answer.isWhole) book.acknowledge(answer, tag);
  }

  /** Asks until there is an answer, sometimes twice at once and sometimes once more. */
  async #askNamed(random) {
    const kind = pickKind(repeatable, random);
    const tag = this.#nextTag('once');
    const named = { tag, kind, key: `${tag}-${random().toString(36).slice(2)}`, tries: [], answers: [] };
    this.#parts.book.named.push(named);
    if (random() < AT_ONCE_SHARE)
      await Promise.all([this.#tryNamed(named, random), this.#tryNamed(named, random)]);
    for (let tries = 0; named.answers.length === 0 && tries < MOST_TRIES && !this.#isOver; tries += 1) {
      await this.#tryNamed(named, random);
      if (named.answers.length === 0) await sleep(200 + 800 * random());
    }
    if (named.answers.length > 0 && random() < AGAIN_SHARE) await this.#tryNamed(named, random);
  }

  async #tryNamed(named, random) {
    const { book } = this.#parts;
    const { tag, kind, key } = named;
    const answer = await book.send({
      replica: this.#anyReplica(random),
      stack: 'once',
      kind,
      request: kind.make(tag),
      headers: { 'idempotency-key': key },
      patienceMs: 3_000 + 17_000 * random(),
    });
    named.tries.push(answer);
    if (!answer.isWhole) return;
    if (named.answers.length === 0) book.acknowledge(answer, tag);
    named.answers.push(answer);
  }

  #nextTag(stack) {
    const number = (this.#numbers.get(stack) ?? 0) + 1;
    this.#numbers.set(stack, number);
    return tagOf(stack, number);
  }

  #anyReplica(random) {
    const { replicas } = this.#parts;
    return replicas[Math.floor(random() * replicas.length)];
  }
}
