import { execFile, fork, spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

// RFC 5737 keeps this address for documentation: nothing answers there.
const ELSEWHERE = '192.0.2.1';

it.each([
  ['spawn', () => spawn('true')],
  ['fork', () => fork('child.mjs')],
  ['execFile', () => execFile('true')],
  ['spawnSync', () => spawnSync('true')],
])('refuses a process by %s in unit tests', (_name, start) => {
  expect(start).toThrow('a unit test starts a process');
});

it('refuses a worker thread in unit tests', () => {
  expect(() => new Worker('worker.mjs')).toThrow('a unit test starts a worker thread: worker.mjs');
});

it.each([
  ['options', () => connect({ host: ELSEWHERE, port: 80 })],
  ['port and host', () => connect(80, ELSEWHERE)],
])('refuses a connection that leaves the machine in unit tests, by %s', (_form, open) => {
  expect(open).toThrow(`a unit test connects to ${ELSEWHERE}`);
});

it('refuses a socket of the file system in unit tests', () => {
  expect(() => connect('/tmp/.s.PGSQL.5432')).toThrow('a unit test connects to /tmp/.s.PGSQL.5432');
});

it('refuses a download in unit tests', async () => {
  await expect(fetch(`http://${ELSEWHERE}/model.gguf`)).rejects.toMatchObject({
    cause: expect.objectContaining({ message: expect.stringContaining(`connects to ${ELSEWHERE}`) }),
  });
});

it('refuses the embedded database in unit tests', async () => {
  await expect(import('@electric-sql/pglite')).rejects.toThrow();
});
