import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { UPSTREAM_DETAIL } from './failure-modes.mjs';

const SLOW_HEADERS_MS = 200;
const GARBAGE_JSON = '{"id": "chatcmpl-fake", "choices": [oops';
const GARBAGE_SSE = Buffer.concat([
  Buffer.from('<<< no events here >>>\n\n{}\r\r:::\n'),
  Buffer.from([0, 255, 13, 10]),
]);

/**
 * Sends an answer as planned, broken on the way where the plan says so. Ends when the last byte is handed over
 * or the client is gone.
 * @param {{ response: import('node:http').ServerResponse, answer: any, plan: any, failure: any, gone: AbortSignal, onPiece: () => void }} delivery
 */
export async function deliver(delivery) {
  const { response, failure, gone } = delivery;
  switch (failure?.mode) {
    case 'reset-before-headers':
      response.socket?.resetAndDestroy();
      return;
    case 'stall-before-headers':
      await untilAborted(gone);
      return;
    case 'slow-headers':
      await pause(failure.delayMs ?? SLOW_HEADERS_MS, undefined, { signal: gone });
      await sendWhole(delivery);
      return;
    case 'status':
      sendStatus(response, failure);
      return;
    case 'garbage-json':
      await sendWhole({ ...delivery, answer: withGarbageJson(delivery) });
      return;
    case 'garbage-sse':
      await sendWhole({ ...delivery, answer: { ...delivery.answer, pieces: [GARBAGE_SSE] } });
      return;
    case 'reset-mid-stream':
      await sendPart(delivery);
      response.socket?.resetAndDestroy();
      return;
    case 'stall-mid-stream':
      await sendPart(delivery);
      await untilAborted(gone);
      return;
    case 'truncated-body':
      await sendPart(delivery);
      // An orderly close before the end of the body.
      response.socket?.end();
      return;
    default:
      await sendWhole(delivery);
  }
}

async function sendWhole(delivery) {
  writeHead(delivery);
  await sendPieces(delivery, delivery.answer.pieces);
  delivery.response.end();
}

/** Some of the events, or half of a body whose head promised all of it. */
async function sendPart(delivery) {
  const { answer, failure, plan, response } = delivery;
  writeHead(delivery);
  const [first = Buffer.alloc(0)] = answer.pieces;
  const pieces = answer.isStream
    ? answer.pieces.slice(0, failure.afterEvents ?? Math.ceil(answer.pieces.length / 2))
    : [first.subarray(0, Math.ceil(first.length / 2))];
  response.flushHeaders();
  await sendPieces(delivery, pieces);
  await flushed(delivery);
  await plan.beforeCut?.();
}

function writeHead({ response, answer }) {
  const length = answer.pieces.reduce((sum, piece) => sum + piece.length, 0);
  response.writeHead(answer.status ?? 200, {
    'content-type': answer.contentType,
    ...(answer.isStream ? { 'cache-control': 'no-cache' } : { 'content-length': length }),
  });
}

async function sendPieces({ response, plan, gone, onPiece, answer }, pieces) {
  const perWrite = plan.eventsPerWrite ?? 1;
  for (let start = 0; start < pieces.length; start += perWrite) {
    if (answer.isStream && plan.paceMs) await pause(plan.paceMs, undefined, { signal: gone });
    await plan.beforePiece?.(start);
    gone.throwIfAborted();
    const batch = pieces.slice(start, start + perWrite);
    const hasRoom = response.write(batch.length === 1 ? batch[0] : Buffer.concat(batch));
    for (const _ of batch) onPiece();
    if (!hasRoom) await once(response, 'drain', { signal: gone });
  }
}

/** Until the system has the bytes: a reset discards what the process still holds. */
async function flushed({ response, gone }) {
  while ((response.socket?.writableLength ?? 0) > 0) await pause(1, undefined, { signal: gone });
}

function withGarbageJson({ answer }) {
  if (!answer.isStream) return { ...answer, pieces: [Buffer.from(GARBAGE_JSON)] };
  const middle = Math.floor(answer.pieces.length / 2);
  return { ...answer, pieces: answer.pieces.with(middle, Buffer.from(`data: ${GARBAGE_JSON}\n\n`)) };
}

function sendStatus(response, { status, body = 'json', param = null, retryAfter }) {
  const [contentType, text] = statusBody(status, body, param);
  response.writeHead(status, {
    ...(contentType ? { 'content-type': contentType } : {}),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  });
  response.end(text);
}

function statusBody(status, body, param) {
  switch (body) {
    case 'json': {
      const error = {
        message: `${UPSTREAM_DETAIL}: status ${status}`,
        type: 'UpstreamError',
        param,
        code: status,
      };
      return ['application/json', JSON.stringify({ error })];
    }
    case 'html':
      return ['text/html', `<html><body><h1>${status}</h1><p>${UPSTREAM_DETAIL}</p></body></html>`];
    case 'empty':
      return [undefined, ''];
    default:
      throw new RangeError(`no such status body: ${body}`);
  }
}

async function untilAborted(signal) {
  if (!signal.aborted) await once(signal, 'abort');
}
