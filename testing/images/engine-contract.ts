import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImageEngine, ImageOrder } from '../../src/images/image-engine.ts';
import { IMAGE_SIZES } from '../../src/images/image-sizes.ts';
import { pictures } from '../pictures.ts';

/** An engine under test; disposing stops everything it started. */
export interface ImageEngineUnderTest extends AsyncDisposable {
  readonly engine: ImageEngine;
}

const never = new AbortController().signal;

/** A complete order, with overrides. */
export function orderOf(changes: Partial<ImageOrder> = {}): ImageOrder {
  return {
    prompt: 'a red circle',
    width: 1024,
    height: 1024,
    steps: 1,
    guidanceScale: 1,
    seed: 7n,
    references: [],
    ...changes,
  };
}

/** Contract of every image engine. */
export function describeImageEngine(name: string, make: () => Promise<ImageEngineUnderTest>): void {
  describe(`${name} as an image engine`, () => {
    let made: ImageEngineUnderTest;
    let engine: ImageEngine;
    let reference: Buffer;

    beforeAll(async () => {
      made = await make();
      engine = made.engine;
      reference = await pictures.png();
      await engine.lifecycle.ready(AbortSignal.timeout(60_000));
    });
    afterAll(async () => {
      await made[Symbol.asyncDispose]();
    });

    it('is ready once it said so, and says what it takes', () => {
      expect(engine.lifecycle.state).toBe('ready');
      expect(engine.model).not.toBe('');
      expect(engine.maxPromptCharacters).toBeGreaterThan(0);
      expect(engine.maxReferences).toBeGreaterThan(0);
    });

    it.each(IMAGE_SIZES)('paints a picture of %s', async (size) => {
      const [width = 0, height = 0] = size.split('x').map(Number);
      const painting = await engine.paint(orderOf({ width, height }), never);
      expect(await sharp(painting.bytes).metadata()).toMatchObject({ width, height });
      expect(painting.paintMs).toBeGreaterThanOrEqual(0);
      expect(painting.encodeMs).toBeGreaterThanOrEqual(0);
    });

    it('paints the same from the same order, and something else from another seed', async () => {
      const [one, same, other] = [7n, 7n, 2n ** 64n - 1n].map((seed) =>
        engine.paint(orderOf({ seed }), never),
      );
      const bytes = Buffer.from((await one)?.bytes ?? []);
      expect(bytes.equals(Buffer.from((await same)?.bytes ?? []))).toBe(true);
      expect(bytes.equals(Buffer.from((await other)?.bytes ?? []))).toBe(false);
    });

    it('paints from one reference, and from as many as it takes', async () => {
      for (const count of [1, engine.maxReferences]) {
        const references = Array<Buffer>(count).fill(reference);
        const painting = await engine.paint(orderOf({ references }), never);
        expect(await sharp(painting.bytes).metadata()).toMatchObject({ width: 1024, height: 1024 });
      }
    });

    it('does nothing under a signal that has aborted already', async () => {
      await expect(engine.paint(orderOf(), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    });

    it('stops when its signal aborts, and paints the next all the same', async () => {
      const leaving = new AbortController();
      const painting = engine.paint(orderOf(), leaving.signal);
      leaving.abort(new Error('client left'));
      await expect(painting).rejects.toThrow('client left');
      expect((await engine.paint(orderOf(), never)).bytes.length).toBeGreaterThan(0);
    });
  });
}
