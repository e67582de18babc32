import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';

const SIDE = 1024;
const OF_NEXT_REFERENCE = 100n;

/** A painter for judging by eye: four steps, guidance 1, and the seed is the place in the list. */
export class SheetPainter {
  #painter;
  #canvasOf;

  constructor(painter, canvasOf) {
    this.#painter = painter;
    this.#canvasOf = canvasOf;
  }

  /** Loads the weights of one folder with the reading rules of one build. */
  static async load({ weights, build }) {
    const modules = resolve(build, 'images/engines/diffusion');
    const load = (name) => import(pathToFileURL(join(modules, name)).href);
    const { Painter, canvasOf } = await load('painter.js');
    const { readPainterWeights } = await load('painter-weights.js');
    return new SheetPainter(await Painter.load(await readPainterWeights(weights), 1), canvasOf);
  }

  /** Prompts are texts; edits are `{ from: [prompts], edit }`. Gives a row of labelled pictures for each. */
  async oneRow(entry, seed) {
    return typeof entry === 'string'
      ? [{ label: entry, picture: await this.#paint(entry, seed) }]
      : await this.#editRow(entry, seed);
  }
  async *rows(file) {
    const list = JSON.parse(await readFile(file, 'utf8'));
    for (const [index, entry] of list.entries()) {
      const seed = BigInt(index + 1);
      if (typeof entry === 'string') yield [{ label: entry, picture: await this.#paint(entry, seed) }];
      else yield await this.#editRow(entry, seed);
    }
  }

  async #editRow({ from, edit }, seed) {
    const sources = [];
    for (const [place, prompt] of from.entries()) {
      const picture = await this.#paint(prompt, seed + BigInt(place) * OF_NEXT_REFERENCE);
      sources.push({ label: prompt, picture });
    }
    const references = await Promise.all(sources.map(({ picture }) => this.#asReference(picture)));
    return [...sources, { label: `→ ${edit}`, picture: await this.#paint(edit, seed, references) }];
  }

  async #paint(prompt, seed, references = []) {
    const order = { prompt, seed, references, width: SIDE, height: SIDE, steps: 4, guidanceScale: 1 };
    const steps = this.#painter.paint(order);
    for (;;) {
      const { done, value } = await steps.next();
      if (done) return sharp(value.rgb, { raw: { width: SIDE, height: SIDE, channels: 3 } });
    }
  }

  async #asReference(picture) {
    const { width, height } = this.#canvasOf({ width: SIDE, height: SIDE });
    const pixels = await picture.clone().resize(width, height).raw().toBuffer();
    return Float32Array.from(pixels, (byte) => byte / 127.5 - 1);
  }
}
