import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as secureRequest } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HeldClock } from '../../testing/bad-child/clocks.ts';
import { makeCertificate } from '../../testing/certificates.mjs';
import { goodKey, HttpGateway } from '../../testing/http-gateway.ts';
import { createLog } from '../telemetry/log.ts';
import { TlsCertificates } from './tls-certificates.ts';

const [first, second] = [makeCertificate('first'), makeCertificate('second')];
const folder = mkdtempSync(join(tmpdir(), 'stackgate-tls-'));
const files = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') };
const lines: string[] = [];
const clock = new HeldClock();
let certificates: TlsCertificates;
let gateway: HttpGateway;

function write({ certificate, key }: typeof first): void {
  writeFileSync(files.certificate, certificate);
  writeFileSync(files.key, key);
}

beforeAll(async () => {
  write(first);
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  certificates = new TlsCertificates({ files, clock, log });
  gateway = await HttpGateway.start({
    tlsContext: () => certificates.context,
    limits: { connectionsPerAddress: 3 },
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function open() {
  const socket = connectTls({ port: gateway.port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return socket;
}

async function served(): Promise<string | undefined> {
  const socket = await open();
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return String(subject.CN);
}

it('serves requests over TLS, by the fast path and by Node, on one connection', async () => {
  const socket = await open();
  expect(socket.alpnProtocol).toBe(false);
  const before = gateway.slowRequests;
  const head = (body: string) =>
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${goodKey}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const answers: string[] = [];
  socket.on('data', (bytes: Buffer) => answers.push(bytes.toString()));
  socket.write(head('{"a":1}'));
  await once(socket, 'data');
  expect([answers.join(''), gateway.slowRequests]).toEqual([
    expect.stringMatching(/^HTTP\/1.1 400[\s\S]*`model`/),
    before,
  ]);
  answers.length = 0;
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  await once(socket, 'close');
  expect([answers.join(''), gateway.slowRequests]).toEqual([
    expect.stringMatching(/^HTTP\/1.1 200/),
    before + 1,
  ]);
});

it('serves ordinary clients', async () => {
  const asked = secureRequest({
    port: gateway.port,
    host: '127.0.0.1',
    path: '/v1/models',
    ca: first.certificate,
    servername: 'localhost',
    headers: { authorization: `Bearer ${goodKey}` },
    agent: false,
  }).end();
  const [answer] = await once(asked, 'response');
  expect([answer.statusCode, JSON.parse(await text(answer)).object]).toEqual([200, 'list']);
});

it('cuts clients that do not speak TLS, and keeps nothing of them', async () => {
  const socket = connect(gateway.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume().write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(socket, 'close');
  await expect.poll(() => gateway.connections()).toBe(0);
});

it('takes a new certificate when its files change, and keeps the old one if they do not work', async () => {
  certificates.start();
  expect(await served()).toBe('first');
  writeFileSync(files.certificate, second.certificate);
  clock.pass(10_000);
  expect(lines.join('')).toContain('the new certificate cannot be used; the old one stays');
  expect(await served()).toBe('first');
  write(second);
  clock.pass(10_000);
  expect(await served()).toBe('second');
  // A file that cannot even be looked at.
  rmSync(files.key);
  symlinkSync(files.key, files.key);
  lines.length = 0;
  clock.pass(10_000);
  expect(lines.join('')).toContain('the old one stays');
  rmSync(files.key);
  write(first);
  certificates.reload();
  expect(await served()).toBe('first');
  certificates.stop();
});
