const ROUNDS = 10;
const FIRST_MULTIPLIER = 0xd2511f53;
const SECOND_MULTIPLIER = 0xcd9e8d57;
const FIRST_WEYL = 0x9e3779b9;
const SECOND_WEYL = 0xbb67ae85;
const WORDS = 2 ** 32;

type Words = readonly [number, number, number, number];

/** Standard normal numbers from a 64-bit seed: Philox 4x32-10 and Box–Muller, identical on every machine. */
export function gaussianNoise(count: number, seed: bigint): Float32Array {
  const noise = new Float32Array(count);
  const key = [Number(BigInt.asUintN(32, seed)), Number(BigInt.asUintN(64, seed) >> 32n)] as const;
  for (let at = 0, counter = 0; at < count; counter++) {
    const [first, second, third, fourth] = philox([counter, 0, 0, 0], key);
    at = putPair(noise, at, first, second);
    at = putPair(noise, at, third, fourth);
  }
  return noise;
}

/** Box–Muller: two uniform words give two normal numbers; the last one may not be needed. */
function putPair(noise: Float32Array, at: number, first: number, second: number): number {
  const radius = Math.sqrt(-2 * Math.log((first + 1) / WORDS));
  const angle = (2 * Math.PI * second) / WORDS;
  if (at < noise.length) noise[at] = radius * Math.cos(angle);
  if (at + 1 < noise.length) noise[at + 1] = radius * Math.sin(angle);
  return at + 2;
}

/** One block of four random 32-bit words. */
export function philox(counter: Words, key: readonly [number, number]): Words {
  let [a, b, c, d] = counter;
  let [firstKey, secondKey] = key;
  for (let round = 0; round < ROUNDS; round++) {
    const firstHigh = highWord(FIRST_MULTIPLIER, a);
    const secondHigh = highWord(SECOND_MULTIPLIER, c);
    const firstLow = Math.imul(FIRST_MULTIPLIER, a) >>> 0;
    const secondLow = Math.imul(SECOND_MULTIPLIER, c) >>> 0;
    [a, b, c, d] = [
      (secondHigh ^ b ^ firstKey) >>> 0,
      secondLow,
      (firstHigh ^ d ^ secondKey) >>> 0,
      firstLow,
    ];
    firstKey = (firstKey + FIRST_WEYL) >>> 0;
    secondKey = (secondKey + SECOND_WEYL) >>> 0;
  }
  return [a, b, c, d];
}

/** The upper half of a 32 × 32-bit product, computed in 16-bit pieces that doubles hold exactly. */
function highWord(x: number, y: number): number {
  const [xHigh, xLow, yHigh, yLow] = [x >>> 16, x & 0xffff, y >>> 16, y & 0xffff];
  const cross = xHigh * yLow + Math.floor((xLow * yLow) / 65_536);
  const carry = Math.floor(((cross % 65_536) + xLow * yHigh) / 65_536);
  return (xHigh * yHigh + Math.floor(cross / 65_536) + carry) >>> 0;
}
