import { createHmac } from 'node:crypto';
import { MICROS_PER_UNIT } from '../access/price-list.ts';
import type { BudgetsConfig } from '../config/config.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import type { Log } from '../telemetry/log.ts';
import type { BudgetNotice, BudgetNotices } from './budget-notices.ts';

const EVERY_MS = 10_000;
const TIMEOUT_MS = 10_000;
/** Longer than a delivery may take, so that no other process delivers the same at the same time. */
const LEASE_MS = 3 * TIMEOUT_MS;
const FIRST_DELAY_MS = 10_000;
const MAX_DELAY_MS = 3_600_000;
/** Deliveries in a row before the others of this process get their turn. */
const MAX_AT_ONCE = 100;
/** Secrets of this form are base64, as libraries for the receiving side expect. */
const ENCODED_SECRET = 'whsec_';

export interface BudgetWebhookParts {
  readonly webhook: NonNullable<BudgetsConfig['webhook']>;
  readonly notices: BudgetNotices;
  readonly currency: () => string;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly log: Log;
}

/** Tells the webhook of reached limits, at least once each, with growing delays while it does not answer with 2xx. */
export class BudgetWebhook {
  readonly #parts: BudgetWebhookParts;
  readonly #stopping = new AbortController();
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: BudgetWebhookParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#stopping.signal.aborted) return;
    this.#timer = this.#parts.clock.after(EVERY_MS, () => {
      this.#running = this.run().finally(() => this.start());
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#timer?.cancel();
    await this.#running;
  }

  /** Finds reached limits and delivers what is due. Never rejects. */
  async run(): Promise<void> {
    const { notices, log } = this.#parts;
    try {
      await notices.find();
      for (let count = 0; count < MAX_AT_ONCE && !this.#stopping.signal.aborted; count++) {
        const notice = await notices.take(LEASE_MS);
        if (notice === undefined) return;
        await this.#deliver(notice);
      }
    } catch (error) {
      log.warn({ error }, 'budgets could not be checked; they are again in ten seconds');
    }
  }

  async #deliver(notice: BudgetNotice): Promise<void> {
    const { notices, log } = this.#parts;
    const { id, attempt, scope, level } = notice;
    const problem = await this.#send(notice);
    if (problem === undefined) return await notices.delivered(id);
    const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
    log.warn(
      { id, scope, level, attempt, delayMs, problem },
      'the webhook for budgets was not told; it is tried again',
    );
    await notices.postpone(id, delayMs);
  }

  /** Sends a notice; returns what went wrong. */
  async #send(notice: BudgetNotice): Promise<string | undefined> {
    const { webhook, wallClock } = this.#parts;
    const body = JSON.stringify(this.#message(notice));
    const timestamp = Math.floor(wallClock.nowMs() / 1000);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': notice.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature(webhook.secret.reveal(), `${notice.id}.${timestamp}.${body}`)}`,
    };
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    try {
      const answer = await fetch(webhook.url, { method: 'POST', headers, body, signal, redirect: 'error' });
      await answer.body?.cancel();
      return answer.ok ? undefined : `status ${answer.status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  #message({ scope, account, stack, key, month, level, limitMicros, usedMicros, createdAt }: BudgetNotice) {
    return {
      type: level === 'soft' ? 'budget.soft_limit_reached' : 'budget.hard_limit_reached',
      timestamp: createdAt.toISOString(),
      data: {
        scope,
        account,
        stack,
        key,
        month,
        currency: this.#parts.currency(),
        limit: limitMicros / MICROS_PER_UNIT,
        used: usedMicros / MICROS_PER_UNIT,
      },
    };
  }
}

function signature(secret: string, signed: string): string {
  const key = secret.startsWith(ENCODED_SECRET)
    ? Buffer.from(secret.slice(ENCODED_SECRET.length), 'base64')
    : secret;
  return createHmac('sha256', key).update(signed).digest('base64');
}
