const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CHECKSUM_LENGTH = 6;

/** Writes bytes as a Bech32 text with a checksum, in lower case. */
export function bech32Encode(prefix: string, bytes: Uint8Array): string {
  const words = regroup([...bytes], 8, 5, true) ?? [];
  const sum = polymod([...expanded(prefix), ...words, ...Array(CHECKSUM_LENGTH).fill(0)]) ^ 1;
  const check = Array.from({ length: CHECKSUM_LENGTH }, (_, place) => (sum >> (5 * (5 - place))) & 31);
  return `${prefix}1${[...words, ...check].map((word) => ALPHABET[word]).join('')}`;
}

/** The bytes of a Bech32 text with this prefix; undefined if it is none. */
export function bech32Decode(prefix: string, text: string): Buffer | undefined {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return undefined;
  const lower = text.toLowerCase();
  if (!lower.startsWith(`${prefix}1`)) return undefined;
  const words = [...lower.slice(prefix.length + 1)].map((letter) => ALPHABET.indexOf(letter));
  if (words.includes(-1) || polymod([...expanded(prefix), ...words]) !== 1) return undefined;
  const bytes = regroup(words.slice(0, -CHECKSUM_LENGTH), 5, 8, false);
  return bytes && Buffer.from(bytes);
}

function expanded(prefix: string): readonly number[] {
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, factor] of GENERATOR.entries()) if ((top >> bit) & 1) sum ^= factor;
  }
  return sum;
}

/** Regroups bits; undefined if the rest without padding is not empty. */
function regroup(
  values: readonly number[],
  from: number,
  to: number,
  pads: boolean,
): readonly number[] | undefined {
  const result: number[] = [];
  let [held, bits] = [0, 0];
  for (const value of values) {
    held = ((held << from) | value) & 0xfff;
    bits += from;
    while (bits >= to) {
      bits -= to;
      result.push((held >> bits) & ((1 << to) - 1));
    }
  }
  const rest = (held << (to - bits)) & ((1 << to) - 1);
  if (pads) return bits === 0 ? result : [...result, rest];
  return bits >= from || rest !== 0 ? undefined : result;
}
