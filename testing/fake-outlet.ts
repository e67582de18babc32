import { Writable } from 'node:stream';
import { chatFamily } from '../src/families/chat-family.ts';
import { BodyMemory } from '../src/http/body-memory.ts';
import { DrainGate } from '../src/http/drain-gate.ts';
import { EngineFailures } from '../src/http/engine-failures.ts';
import { Exchange } from '../src/http/exchange.ts';
import type { AnswerHead, Outlet, OutletListener } from '../src/http/outlet.ts';
import { RequestJournal } from '../src/http/request-journal.ts';
import { RequestRing } from '../src/http/request-ring.ts';
import { createLog } from '../src/telemetry/log.ts';
import { Metrics } from '../src/telemetry/metrics.ts';

/** Records what is sent. */
export class FakeOutlet implements Outlet {
  readonly pieces: string[] = [];
  head: AnswerHead | undefined;
  isFull = false;
  isEnded = false;
  isGone = false;
  #listener: OutletListener | undefined;

  get isOpen(): boolean {
    return this.head !== undefined;
  }

  listen(listener: OutletListener): void {
    this.#listener = listener;
    if (this.isGone) listener.closed(false);
  }

  send(head: AnswerHead, body: string | Buffer): void {
    this.head = head;
    this.end(String(body));
  }

  open(head: AnswerHead): void {
    this.head = head;
  }

  write(piece: string): boolean {
    this.pieces.push(piece);
    return !this.isFull;
  }

  end(piece: string): void {
    this.#listener?.ending?.();
    if (piece !== '') this.pieces.push(piece);
    this.isEnded = true;
    this.#listener?.closed(true);
  }

  drain(): void {
    this.#listener?.drained();
  }

  destroy(): void {
    this.isGone = true;
    this.#listener?.closed(false);
  }
}

/** An exchange of a request that was not handled yet. */
export function openExchange(outlet: Outlet): Exchange {
  const journal = new RequestJournal({
    metrics: new Metrics({ engineStates: () => [], queueDepths: () => [], logLinesDropped: () => 0 }),
    log: createLog('silent', new Writable()),
    drainGate: new DrainGate(),
    ring: new RequestRing(),
    failures: new EngineFailures(),
  });
  const incoming = {
    method: 'POST',
    url: '/v1/chat/completions',
    headers: {},
    params: {},
    address: '',
    key: { hash: undefined },
    openMemory: (stackId: string) => new BodyMemory(1024).open(stackId),
    body: () => undefined,
  };
  const entry = journal.open(incoming.url, chatFamily);
  return new Exchange({ incoming, outlet, family: chatFamily, entry, journal });
}
