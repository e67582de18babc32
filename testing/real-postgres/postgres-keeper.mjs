// Runs a PostgreSQL for the process that forked it. When that process ends in any way, the channel closes; then the server is
// killed and its files are removed. Node 20 cannot start TypeScript, hence .mjs.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const logTailCharacters = 8_192;
const quitBoundMs = 10_000;
const { program, parent, user, environment } = JSON.parse(process.argv[2] ?? '');
const folder = mkdtempSync(join(parent, 'stackgate-postgres-data-'));
let server;
let isEnding = false;

chmodSync(folder, 0o711);
process.on('message', (message) => {
  if (message.command === 'start') start(message.settings);
  else stop(message.signal);
});
process.on('disconnect', end);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
report({ state: 'opened', folder });
// The channel may have closed before there was a listener.
if (!process.connected) end();

function start(settings) {
  let log = '';
  const started = spawn(program, settings, {
    ...user,
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  server = started;
  started.stderr.setEncoding('utf8').on('data', (text) => {
    const wasReady = isReady(log);
    log = (log + text).slice(-logTailCharacters);
    if (!wasReady && isReady(log)) {
      log = '';
      started.stderr.removeAllListeners('data').resume();
      report({ state: 'ready', pid: started.pid });
    }
  });
  started.on('error', (error) => {
    log += error.message;
  });
  started.on('close', () => {
    server = undefined;
    report({ state: 'stopped', log });
    if (isEnding) leave();
  });
}

function isReady(log) {
  return log.includes('database system is ready to accept connections');
}

function stop(signal) {
  if (server === undefined) report({ state: 'stopped', log: '' });
  else server.kill(signal);
}

function end() {
  if (isEnding) return;
  isEnding = true;
  if (server === undefined) return leave();
  server.kill('SIGQUIT');
  setTimeout(() => server?.kill('SIGKILL'), quitBoundMs).unref();
}

function leave() {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit();
}

function report(message) {
  if (process.connected) process.send(message, () => {});
}
