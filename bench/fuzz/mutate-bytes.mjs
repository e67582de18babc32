const NASTY = [0x00, 0xff, 0x7f, 0x80, 0x0a, 0x28, 0x3c];

/**
 * A copy of a file with a few defects: flipped bits, pieces cut out, doubled, moved or overwritten, huge numbers, a missing end.
 */
export function mutateBytes(bytes, random) {
  let changed = Buffer.from(bytes);
  const changes = 1 + Math.floor(random() * 6);
  for (let change = 0; change < changes; change++) changed = mutateOnce(changed, random);
  return changed;
}

function mutateOnce(bytes, random) {
  if (bytes.length < 8) return bytes;
  const at = Math.floor(random() * bytes.length);
  const length = Math.min(bytes.length - at, 1 + Math.floor(random() ** 3 * bytes.length * 0.3));
  const piece = bytes.subarray(at, at + length);
  switch (Math.floor(random() * 7)) {
    case 0:
      bytes[at] ^= 1 << Math.floor(random() * 8);
      return bytes;
    case 1:
      bytes[at] = NASTY[Math.floor(random() * NASTY.length)];
      return bytes;
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), piece, piece, bytes.subarray(at + length)]);
    case 4:
      return bytes.subarray(0, Math.max(8, at));
    case 5:
      return withHugeNumber(bytes, at);
    default: {
      const target = Math.floor(random() * (bytes.length - piece.length + 1));
      const copy = Buffer.from(piece);
      copy.copy(bytes, target);
      return bytes;
    }
  }
}

/** Text formats store sizes as digits; the next ones become a large number. */
function withHugeNumber(bytes, at) {
  const text = bytes.toString('latin1');
  const found = /\d+/u.exec(text.slice(at));
  if (found === null) return bytes;
  const start = at + found.index;
  return Buffer.from(`${text.slice(0, start)}4294967295${text.slice(start + found[0].length)}`, 'latin1');
}
