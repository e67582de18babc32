import { createHash } from 'node:crypto';
import { cp, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { childProcesses } from '../../../../testing/child-processes.ts';
import { Fault } from '../../../faults/fault.ts';
import { createLog } from '../../../telemetry/log.ts';
import type { ImageOrder } from '../../image-engine.ts';
import { DiffusionEngine } from './diffusion-engine.ts';
import { shippedWeightsFolder } from './painter-weights.ts';

const never = new AbortController().signal;
const full = { width: 1024, height: 1024 };
/** Smaller than any that a client may ask for: painted in a sixteenth of the time, by the same code. */
const apple: ImageOrder = {
  prompt: 'a red apple',
  width: 256,
  height: 256,
  steps: 1,
  guidanceScale: 1,
  seed: 7n,
  references: [],
};

function openEngine(options: { threads?: number; weightsFolder?: string } = {}) {
  const { threads = 1, ...rest } = options;
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => lines.push(line) });
  const config = { kind: 'diffusion', threads, idlePauseMinutes: 0 } as const;
  const engine = new DiffusionEngine({ config, log, ...rest });
  return { engine, lines, close: () => engine.close(AbortSignal.timeout(10_000)) };
}

const shared = openEngine();
afterAll(() => shared.close());
const paint = (order: Partial<ImageOrder>) => shared.engine.paint({ ...apple, ...order }, never);
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The mean colour of each cell of a grid. */
async function cells(bytes: Uint8Array, side: number): Promise<readonly number[]> {
  const { data } = await sharp(bytes)
    .resize(side, side, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data];
}

describe('the painter', () => {
  it('paints PNGs of every size', async () => {
    for (const [width, height] of [
      [1024, 1024],
      [1536, 1024],
      [1024, 1536],
    ] as const) {
      const { bytes, paintMs, encodeMs, unknownWords } = await paint({ width, height });
      const { format, channels, depth, ...size } = await sharp(bytes).metadata();
      expect({ format, channels, depth }).toEqual({ format: 'png', channels: 3, depth: 'uchar' });
      expect(size).toMatchObject({ width, height });
      expect(paintMs).toBeGreaterThan(0);
      expect(encodeMs).toBeGreaterThan(0);
      expect(unknownWords).toEqual([]);
    }
  });

  it('paints what is asked: a red thing on white', async () => {
    const { bytes } = await paint({ ...full, steps: 4 });
    const grid = await cells(bytes, 3);
    const [red = 0, green = 0, blue = 0] = grid.slice(12, 15);
    expect(red).toBeGreaterThan(green + 60);
    expect(red).toBeGreaterThan(blue + 60);
    for (const corner of [0, 6, 18, 24]) {
      expect(Math.min(...grid.slice(corner, corner + 3))).toBeGreaterThan(200);
    }
  });

  it('gives the same bytes for the same order, whatever came between and with more threads', async () => {
    const first = hashOf((await paint({})).bytes);
    await paint({ prompt: 'two blue cars at night', seed: 2n ** 64n - 1n });
    expect(hashOf((await paint({})).bytes)).toBe(first);
    const other = openEngine({ threads: 2 });
    onTestFinished(other.close);
    expect(hashOf((await other.engine.paint(apple, never)).bytes)).toBe(first);
  });

  it('depends on prompt, seed, steps, guidance and each reference', async () => {
    const [one, two] = await Promise.all([paint({ prompt: 'a cat' }), paint({ prompt: 'a house' })]);
    const orders: readonly Partial<ImageOrder>[] = [
      {},
      { prompt: 'a green apple' },
      { seed: 8n },
      { seed: 7n + 2n ** 63n },
      { steps: 2 },
      { guidanceScale: 0 },
      { guidanceScale: 3 },
      { references: [one.bytes] },
      { references: [one.bytes, two.bytes] },
      { references: [two.bytes, one.bytes] },
      { references: [one.bytes, two.bytes, one.bytes, two.bytes] },
    ];
    const hashes = new Set<string>();
    for (const order of orders) hashes.add(hashOf((await paint(order)).bytes));
    expect(hashes.size).toBe(orders.length);
  });

  it('tells the words that it does not know', async () => {
    const { unknownWords } = await paint({ prompt: 'a qwxzv cat with a blorptangle' });
    expect(unknownWords).toEqual(['qwxzv', 'blorptangle']);
  });

  it('reports each step', async () => {
    const steps: number[] = [];
    await shared.engine.paint({ ...apple, steps: 3 }, never, (step) => steps.push(step));
    expect(steps).toEqual([0, 1, 2, 3]);
  });

  // Summation order affects the last bits, so bytes are comparable only on the same kind of processor.
  it('gives the recorded picture, to the byte on the recorded processor', async () => {
    const url = new URL('../../../../testing/fixtures/painted-cat.json', import.meta.url);
    const recorded: { processor: string; sha256: string; cells: readonly number[] } = JSON.parse(
      await readFile(url, 'utf8'),
    );
    const { bytes } = await paint({ ...full, prompt: 'a cat on a beach', steps: 4, seed: 2n ** 64n - 1n });
    const difference = (await cells(bytes, 16)).map((value, at) =>
      Math.abs(value - (recorded.cells[at] ?? 0)),
    );
    expect(Math.max(...difference)).toBeLessThanOrEqual(6);
    if ((await processorKind()) === recorded.processor) expect(hashOf(bytes)).toBe(recorded.sha256);
  });
});

describe('when things go wrong, the painter', () => {
  it('stops between steps when its signal aborts, and can paint again', async () => {
    const leaving = new AbortController();
    const steps: number[] = [];
    const left = shared.engine.paint({ ...apple, steps: 8 }, leaving.signal, (step) => {
      steps.push(step);
      leaving.abort(new Error('left'));
    });
    await expect(left).rejects.toThrow('left');
    expect(steps).toEqual([0]);
    expect((await paint({})).bytes.length).toBeGreaterThan(1_000);
  });

  it('fails one request when its process is killed', async () => {
    const others = new Set(childProcesses('painter-child'));
    const { engine, lines, close } = openEngine();
    onTestFinished(close);
    await engine.lifecycle.ready(never);
    const [child = 0] = childProcesses('painter-child').filter((pid) => !others.has(pid));
    const killed = engine.paint({ ...apple, steps: 8 }, never, () => process.kill(child, 'SIGKILL'));
    await expect(killed).rejects.toSatisfy(isNotReady);
    expect(lines.join()).toContain('the painter ended');
    expect((await engine.paint(apple, never)).bytes.length).toBeGreaterThan(1_000);
  });

  it('refuses weights that are damaged, and says which file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stackgate-test-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await cp(shippedWeightsFolder(), folder, { recursive: true });
    const file = await open(join(folder, 'upsampler.onnx'), 'r+');
    await file.write(Buffer.from([1, 2, 3]), 0, 3, 1_000);
    await file.close();
    const { engine, lines, close } = openEngine({ weightsFolder: folder });
    onTestFinished(close);
    await expect(engine.paint(apple, never)).rejects.toSatisfy(isNotReady);
    expect(engine.lifecycle.state).toBe('degraded');
    expect(lines.join()).toContain('upsampler.onnx is damaged');
  });

  it('fails one request for a reference that is no picture', async () => {
    await expect(paint({ references: [Buffer.from('no picture')] })).rejects.toSatisfy(isNotReady);
    expect((await paint({})).bytes.length).toBeGreaterThan(1_000);
  });
});

/** Family, model and stepping: very different processors share a name. */
async function processorKind(): Promise<string> {
  const text = await readFile('/proc/cpuinfo', 'utf8').catch(() => '');
  return ['vendor_id', 'cpu family', 'model', 'stepping']
    .map((name) => new RegExp(`^${name}\\s*: (.*)$`, 'm').exec(text)?.[1])
    .join(' ');
}

function isNotReady(error: unknown): boolean {
  return error instanceof Fault && error.code === 'model-not-ready';
}
