import { hashOf } from './drill-requests.mjs';
import { keyOf } from './stacks.mjs';

/** A broken connection, or a client time-out. */
const NO_ANSWER = 0;

/** The requests of clients and their answers, which everything else is checked against. */
export class ClientBook {
  /** By stack: requests that were sent, and those that were answered by something else than a failure of the gateway. */
  sent = new Map();
  answered = new Map();
  /** By stack and path: answers that acknowledge work. */
  acknowledged = new Map();
  /** By kind and status. */
  counts = new Map();
  /** Things that must be there later. */
  kept = [];
  /** Whole answers with status 200, for stacks whose times matter. */
  served = new Map();
  /** Requests with an Idempotency-Key. */
  named = [];
  unexpected = [];

  /** Sends a request and waits for the whole answer. Never rejects. */
  async send({ replica, stack, kind, request, headers, patienceMs }) {
    const { path, headers: own, ...init } = request;
    const asked = { kind, stack, path, replica: replica.name, sentMs: performance.now() };
    add(this.sent, stack);
    let answer;
    try {
      const answered = await fetch(replica.url + path, {
        ...init,
        headers: { authorization: `Bearer ${keyOf(stack)}`, ...own, ...headers },
        signal: AbortSignal.timeout(Math.round(patienceMs)),
      });
      const bytes = Buffer.from(await answered.arrayBuffer());
      answer = this.#received(asked, answered, bytes);
    } catch (error) {
      // Any other error is a bug of the drill.
      if (error.name !== 'TimeoutError' && error.message !== 'fetch failed' && error.message !== 'terminated')
        throw error;
      answer = { ...asked, status: NO_ANSWER, isWhole: false, endedMs: performance.now() };
    }
    add(this.counts, `${kind.name}\t${answer.status === NO_ANSWER ? 'none' : answer.status}`);
    return answer;
  }

  /** Notes what a whole answer promises. */
  acknowledge(answer, tag) {
    const { stack, kind, path, sentMs, endedMs } = answer;
    add(this.acknowledged, `${stack} ${path}`);
    if (!this.served.has(stack)) this.served.set(stack, []);
    this.served.get(stack).push({ tag, sentMs, endedMs });
    if (kind.kept !== undefined) this.kept.push({ stack, tag, ...kind.kept(answer, tag) });
  }

  #received(asked, { status, headers }, bytes) {
    const { kind, stack, replica } = asked;
    const text = bytes.toString();
    const isWhole = status === 200 && kind.isWhole(text);
    if (status < 500) add(this.answered, stack);
    if (!kind.allowed.has(status))
      this.unexpected.push(`${kind.name} of ${stack} at ${replica}: ${status} ${text.slice(0, 200)}`);
    const isReplayed = headers.get('idempotent-replayed') === 'true';
    return { ...asked, status, isWhole, isReplayed, text, hash: hashOf(bytes), endedMs: performance.now() };
  }
}

function add(counts, name) {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
