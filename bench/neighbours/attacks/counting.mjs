import { jsonRequest } from '../ask.mjs';

const AT_ONCE = 60;
const SLOW_MS = 8_000;
const LONG_TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(4_000);

/** More concurrent token counts than there are connections for them. */
export const countingAttacks = [
  {
    name: 'counting-slow',
    what: `${AT_ONCE} counts at a time; the tokenizer takes ${SLOW_MS / 1000} s`,
    engines: ['upstream'],
    run: (noise) => count(noise, (number) => `[[wait ${SLOW_MS}]] Count ${number}.`),
  },
  {
    name: 'counting-failing',
    what: `${AT_ONCE} counts at a time; the tokenizer fails after a second`,
    engines: ['upstream'],
    run: (noise) => count(noise, (number) => `[[wait 1000]] [[fail 500]] Count ${number}.`),
  },
  {
    name: 'counting-long',
    what: `${AT_ONCE} counts at a time of ${Math.round(LONG_TEXT.length / 1000)} KB`,
    engines: ['embedded'],
    run: (noise) => count(noise, (number) => `${number} ${LONG_TEXT}`),
  },
];

function count(noise, text) {
  return noise.keepAsking(AT_ONCE, (number) =>
    jsonRequest('/v1/messages/count_tokens', noise.chat(text(number)), noise.keys.noisy),
  );
}
