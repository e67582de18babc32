import { describe, expect, it } from 'vitest';
import { type Call, call } from '../../testing/http-call.ts';
import { goodKey, HttpGateway } from '../../testing/http-gateway.ts';
import { generateOperatorSecret, generateSecret } from '../access/key-secret.ts';
import { WRONG_KEYS_PER_MINUTE } from '../access/wrong-keys.ts';

const token = generateOperatorSecret();
const operators = { [token]: { name: 'ada', door: 'token', role: 'operator' } } as const;

function asked(path: string, credential: string, header = 'authorization'): Call {
  return { path, headers: { [header]: header === 'authorization' ? `Bearer ${credential}` : credential } };
}

describe('the doors', () => {
  it('open with their own credential only', async () => {
    await using gateway = await HttpGateway.start({ operators });
    const statuses = async (path: string, credentials: readonly string[]) =>
      Promise.all(credentials.map(async (each) => (await call(gateway, asked(path, each))).status));
    const credentials = [goodKey, token, generateSecret(), generateOperatorSecret(), 'sg_session=1'];
    expect(await statuses('/v1/models', credentials)).toEqual([200, 401, 401, 401, 401]);
    expect(await statuses('/admin/v1/engines', credentials)).toEqual([401, 200, 401, 401, 401]);
    const byCookie = { path: '/admin/v1/engines', headers: { cookie: `__Host-sg_session=${token}` } };
    expect((await call(gateway, byCookie)).status).toBe(401);
    expect((await call(gateway, asked('/v1/models', token, 'x-api-key'))).status).toBe(401);
    expect((await call(gateway, asked('/admin/v1/engines', token, 'x-api-key'))).status).toBe(401);
  });

  it('say which credential they take', async () => {
    await using gateway = await HttpGateway.start({ operators });
    const { body } = await call(gateway, { path: '/admin/v1/engines' });
    expect(JSON.parse(body)).toEqual({
      detail: 'The operator token is missing or not valid. Send it as "Authorization: Bearer <token>".',
    });
  });

  it('answer 429 to an address that sent too many wrong tokens, and still serve the right one', async () => {
    await using gateway = await HttpGateway.start({ operators });
    await using client = await gateway.connect();
    const wrong = `GET /admin/v1/engines HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sgo-wrong\r\n\r\n`;
    for (let sent = 0; sent < WRONG_KEYS_PER_MINUTE; sent++) {
      await client.send(Buffer.from(wrong));
      expect((await client.answer()).status).toBe(401);
    }
    await client.send(Buffer.from(wrong));
    expect((await client.answer()).status).toBe(429);
    expect((await call(gateway, asked('/admin/v1/engines', token))).status).toBe(200);
  });
});

describe('an operator token', () => {
  it('is known as mistyped without a look at the database', async () => {
    await using gateway = await HttpGateway.start({ operators });
    const mistyped = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    expect((await call(gateway, asked('/admin/v1/engines', mistyped))).status).toBe(401);
  });
});
