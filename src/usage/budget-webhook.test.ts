import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HeldClock } from '../../testing/bad-child/clocks.ts';
import { HeldClock as HeldWallClock } from '../../testing/held-clock.ts';
import { Secret } from '../config/secret.ts';
import { createLog } from '../telemetry/log.ts';
import type { BudgetNotice, BudgetNotices } from './budget-notices.ts';
import { BudgetWebhook } from './budget-webhook.ts';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBob29r';
const notice: BudgetNotice = {
  id: 'notice_1',
  scope: 'key',
  stack: 'shop',
  key: 'web',
  month: '2026-11',
  level: 'soft',
  limitMicros: 80_000_000,
  usedMicros: 81_500_000,
  createdAt: new Date('2026-11-16T12:00:00Z'),
  attempt: 3,
};

let server: Server;
let status: number;
let received: { readonly headers: IncomingHttpHeaders; readonly body: string }[];
let history: string[];
let lines: string[];
beforeEach(async () => {
  status = 204;
  received = [];
  history = [];
  lines = [];
  server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

function webhook(): BudgetWebhook {
  const waiting = [notice];
  const notices: BudgetNotices = {
    find: async () => {},
    take: async () => waiting.shift(),
    delivered: async (id) => void history.push(`delivered ${id}`),
    postpone: async (id, delayMs) => void history.push(`postponed ${id} by ${delayMs}`),
  };
  const { port } = server.address() as AddressInfo;
  return new BudgetWebhook({
    webhook: { url: `http://127.0.0.1:${port}/hook`, secret: new Secret(SECRET) },
    notices,
    currency: () => 'EUR',
    clock: new HeldClock(),
    wallClock: new HeldWallClock(1_790_000_000_500),
    log: createLog('info', { write: (line: string) => void lines.push(line) }),
  });
}

it('tells a reached limit, signed with its time', async () => {
  await webhook().run();
  const [sent] = received;
  expect(JSON.parse(sent?.body ?? '')).toEqual({
    type: 'budget.soft_limit_reached',
    timestamp: '2026-11-16T12:00:00.000Z',
    data: {
      scope: 'key',
      stack: 'shop',
      key: 'web',
      month: '2026-11',
      currency: 'EUR',
      limit: 80,
      used: 81.5,
    },
  });
  const signature = createHmac('sha256', 'secret of the hook')
    .update(`notice_1.1790000000.${sent?.body}`)
    .digest('base64');
  expect(sent?.headers).toMatchObject({
    'webhook-id': 'notice_1',
    'webhook-timestamp': '1790000000',
    'webhook-signature': `v1,${signature}`,
  });
  expect(history).toEqual(['delivered notice_1']);
});

it('tries again later, each time after twice as long, while it is refused', async () => {
  status = 503;
  await webhook().run();
  expect(history).toEqual(['postponed notice_1 by 40000']);
  expect(lines.join('')).toContain('status 503');
  expect(lines.join('')).not.toContain(SECRET);
});
