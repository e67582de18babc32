import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './ask.mjs';

const MOST_REQUESTS = 200_000;
const REQUEST_BOUND_MS = 120_000;
// An attacker that retries refusals without a pause would cost the shared machine more than the gateway.
const PAUSE_AFTER_REFUSAL_MS = 20;
/** Its own loopback addresses: limits per address must not affect the quiet tenant. */
const ADDRESSES = ['127.0.0.2', '127.0.0.3'];

/** The tools of an attack: requests and raw connections of the noisy tenant, until its time is over. Results are counted. */
export class Noise {
  url;
  model;
  keys;
  #tally = {};
  #endsAtMs = Number.POSITIVE_INFINITY;
  #agents = ADDRESSES.map((localAddress) => new Agent({ keepAlive: true, localAddress }));
  #numbers = 0;
  #open = 0;

  constructor({ url, model, keys }) {
    this.url = url;
    this.model = model;
    this.keys = keys;
  }

  get goesOn() {
    return performance.now() < this.#endsAtMs && this.#numbers < MOST_REQUESTS;
  }

  /** Results so far: statuses, `none` if the connection ended without an answer, `open` while waiting. */
  get tally() {
    return this.#open > 0 ? { ...this.#tally, open: this.#open } : this.#tally;
  }

  /** Resets the counts and starts, for this long. */
  begin(durationMs) {
    this.#tally = {};
    this.#endsAtMs = performance.now() + durationMs;
  }

  /** A unique number, so that nothing is answered from a cache. */
  next() {
    this.#numbers += 1;
    return this.#numbers;
  }

  /** Keeps this many requests in flight. */
  async keepAsking(atOnce, makeRequest, { pauseMs = 0, addresses = 1 } = {}) {
    const askers = Array.from({ length: atOnce }, async (_, asker) => {
      const agent = this.#agents[asker % addresses];
      while (this.goesOn) {
        const status = await this.askOnce(await makeRequest(this.next()), agent);
        await sleep(status === 200 ? pauseMs : Math.max(pauseMs, PAUSE_AFTER_REFUSAL_MS));
      }
    });
    await Promise.all(askers);
  }

  async askOnce(request, agent = this.#agents[0]) {
    this.#open += 1;
    const { status } = await ask(this.url, { ...request, agent, timeoutMs: REQUEST_BOUND_MS });
    this.#tell(status === 0 ? 'none' : status);
    return status;
  }

  /** A raw connection. Its answer is counted; `closed` resolves when it has ended. */
  async connect() {
    this.#open += 1;
    const { hostname, port } = new URL(this.url);
    const socket = connect({ port: Number(port), host: hostname, localAddress: ADDRESSES[0] });
    let head = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      head ||= chunk.toString('latin1', 0, 16);
    });
    const closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#tell(/^HTTP\/1\.1 (\d+)/u.exec(head)?.[1] ?? 'none');
        resolve();
      });
    });
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
    return { socket, closed };
  }

  /** The body of a chat with one turn. */
  chat(content, more = {}) {
    return { model: this.model, messages: [{ role: 'user', content }], ...more };
  }

  #tell(outcome) {
    this.#open -= 1;
    this.#tally[outcome] = (this.#tally[outcome] ?? 0) + 1;
  }
}
