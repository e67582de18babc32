import { setTimeout as sleep } from 'node:timers/promises';
import { jsonRequest } from '../ask.mjs';

const BOTH = ['upstream', 'embedded'];
const HELD = 45;
const KNOWLEDGE_BYTES = 40_000_000;
// The largest form the plan allows.
const EXTRACTION_BYTES = 25_000_000;
const PIECE = Buffer.alloc(1_000_000, 'a');
// Below the timeout for a stalled body.
const SIGN_OF_LIFE_MS = 5_000;
const AGAIN_MS = 500;
const CHATS_EVERY_MS = 8_000;
const CHUNKED = 16;
const GROWS_EVERY_MS = 50;

/** Bodies that are large, slow, or never end. */
export const bytesAttacks = [
  {
    name: 'bytes-held',
    what: `${HELD} uploads, half sent and held open: documents of 40 MB and forms of 25 MB`,
    engines: BOTH,
    run: (noise) => Promise.all(Array.from({ length: HELD }, (_, place) => holdUploads(noise, place))),
  },
  {
    name: 'bytes-chats',
    what: 'eight chats of 32 MB sent at the same moment, again and again',
    engines: BOTH,
    // One character outside Latin 1 doubles the string's size in memory.
    prepare: (noise) => chatOf(noise, [`€${'a'.repeat(33_400_000)}`]),
    run: (noise, request) => noise.keepAsking(8, () => request, { pauseMs: CHATS_EVERY_MS }),
  },
  {
    name: 'bytes-again',
    what: 'four connections that send chats of 31 MB in 40,000 turns one after the other',
    engines: BOTH,
    prepare: (noise) =>
      chatOf(
        noise,
        Array.from({ length: 40_000 }, () => 'a'.repeat(740)),
      ),
    run: (noise, request) => noise.keepAsking(4, () => request),
  },
  {
    name: 'bytes-chunked',
    what: `${CHUNKED} chats that say nothing of their length and grow until they are refused`,
    engines: BOTH,
    run: (noise) => Promise.all(Array.from({ length: CHUNKED }, () => grow(noise))),
  },
];

function chatOf(noise, texts) {
  const messages = texts.map((content) => ({ role: 'user', content }));
  return jsonRequest('/v1/chat/completions', { model: noise.model, messages }, noise.keys.noisy);
}

async function holdUploads(noise, place) {
  const isKnowledge = place % 3 !== 0;
  const bytes = isKnowledge ? KNOWLEDGE_BYTES : EXTRACTION_BYTES;
  while (noise.goesOn) {
    const { socket, closed } = await noise.connect();
    socket.write(
      isKnowledge
        ? formHead('/v1/knowledge', noise.keys.library, bytes)
        : formHead('/v1/documents/extract', noise.keys.noisy, bytes),
    );
    await writeAll(socket, bytes / 2);
    while (noise.goesOn && !socket.destroyed) {
      socket.write('a');
      await Promise.race([closed, sleep(SIGN_OF_LIFE_MS)]);
    }
    await sleep(AGAIN_MS);
  }
}

function formHead(path, key, bytes) {
  return [
    `POST ${path} HTTP/1.1`,
    'Host: bench',
    `Authorization: Bearer ${key}`,
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${bytes}`,
    '',
    '--b',
    'Content-Disposition: form-data; name="file"; filename="a.txt"',
    '',
    '',
  ].join('\r\n');
}

async function grow(noise) {
  while (noise.goesOn) {
    const { socket, closed } = await noise.connect();
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${noise.keys.noisy}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    socket.write(chunk(Buffer.from('{"messages": [{"role": "user", "content": "')));
    while (noise.goesOn && !socket.destroyed && !socket.readableEnded && socket.bytesRead === 0) {
      await written(socket, chunk(PIECE));
      await Promise.race([closed, sleep(GROWS_EVERY_MS)]);
    }
    if (noise.goesOn) socket.destroy();
    await sleep(AGAIN_MS);
  }
}

function chunk(bytes) {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** Ends early if an answer comes first. */
async function writeAll(socket, bytes) {
  for (let sent = 0; sent < bytes && !socket.destroyed && socket.bytesRead === 0; sent += PIECE.length)
    await written(socket, PIECE);
}

function written(socket, bytes) {
  return new Promise((resolve) => socket.write(bytes, () => resolve()));
}
