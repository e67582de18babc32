// Renders the painter's own drawings as 256-px pictures: node models/painter/drawings/render-drawings.mjs <output folder>
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { readDrawings } from './all-drawings.mjs';
import { assetOf } from './asset-of.mjs';

const SIDE = 256;
const LIGHTER = 0.3;
const DARKER = 0.24;

const drawings = readDrawings();
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: render-drawings.mjs <output folder>');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
for (const [name, { shapes }] of Object.entries(drawings)) {
  const picture = sharp(Buffer.from(asSvg(shapes))).resize(SIDE, SIDE);
  await picture.webp({ quality: 84 }).toFile(join(folder, `${assetOf(name)}.webp`));
}
console.log(`${Object.keys(drawings).length} drawings`);

/** Every colour is lit from the upper left, so that flat shapes look round like the emoji beside them. */
function asSvg(shapes) {
  const parts = shapes.map(readShape);
  const colours = [...new Set(parts.map(({ colour }) => colour))];
  const gradients = colours.map(
    (colour, at) =>
      `<linearGradient id="g${at}" x1="0.15" y1="0" x2="0.85" y2="1"><stop offset="0" stop-color="${mix(colour, 255, LIGHTER)}"/><stop offset="0.5" stop-color="${colour}"/><stop offset="1" stop-color="${mix(colour, 0, DARKER)}"/></linearGradient>`,
  );
  const drawn = parts.map((part) => drawShape(part, `url(#g${colours.indexOf(part.colour)})`));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 256 256"><defs>${gradients.join('')}</defs>${drawn.join('')}</svg>`;
}

/** `e 128 236 92 16 #7d8a99`: kind, places and sizes, colour. */
function readShape(text) {
  const [kind, ...rest] = text.split(' ');
  const colour = rest.pop();
  if (!/^#[0-9a-f]{6}$/.test(colour ?? '')) throw new Error(`not a shape: ${text}`);
  return { kind, rest, colour };
}

function drawShape({ kind, rest, colour }, fill) {
  const [a, b, c, d, corner] = rest;
  switch (kind) {
    case 'e':
      return `<ellipse cx="${a}" cy="${b}" rx="${c}" ry="${d}" fill="${fill}"/>`;
    case 'r':
      return `<rect x="${a}" y="${b}" width="${c}" height="${d}" rx="${corner}" fill="${fill}"/>`;
    case 'p':
      return `<path d="${rest.join(' ')}" fill="${fill}"/>`;
    case 'l':
      // A gradient has no box to fit to on a straight line.
      return `<path d="${rest.slice(1).join(' ')}" fill="none" stroke="${colour}" stroke-width="${a}" stroke-linecap="round" stroke-linejoin="round"/>`;
    default:
      throw new Error(`no kind of shape: ${kind}`);
  }
}

function mix(colour, target, share) {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const mixed = parts.map((part) => Math.round(part + (target - part) * share));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
