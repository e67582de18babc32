const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

/** The bits of a number of half precision, rounded to the nearest, to even between two. Only for numbers from -2 to 2. */
export function halfOf(value) {
  single[0] = value;
  const [whole] = bits;
  const sign = (whole >>> 16) & 0x8000;
  const exponent = ((whole >>> 23) & 0xff) - 112;
  const fraction = whole & 0x7fffff;
  if (exponent <= 0) {
    // Too small for an exponent of its own: steps of 2 ** -24.
    const steps = Math.abs(single[0]) * 2 ** 24;
    const floor = Math.floor(steps);
    const rest = steps - floor;
    const up = rest > 0.5 || (rest === 0.5 && floor % 2 === 1);
    return sign | (floor + (up ? 1 : 0));
  }
  const kept = (exponent << 10) | (fraction >>> 13);
  const rest = fraction & 0x1fff;
  return sign | (kept + (rest > 0x1000 || (rest === 0x1000 && (kept & 1) === 1) ? 1 : 0));
}
