import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;
const CODE_POINTS = 0x11_0000;

/** Any character, as `fc.string({ unit: 'binary' })` has; that one first makes a table of them all, which takes a second. */
export const anyCharacter = fc
  .nat(CODE_POINTS - SURROGATES - 1)
  .map((number) => String.fromCodePoint(number < FIRST_SURROGATE ? number : number + SURROGATES));
