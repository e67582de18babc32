import { z } from 'zod';
import type { PaintedImage } from '../painted-image.ts';

const TENTHS_PER_MS = 10;
const TENTHS_PER_SECOND = 10_000;

/** Response body with an image. */
export const imageAnswerSchema = z.object({
  created: z.int().describe('Unix time in seconds.'),
  data: z.array(z.object({ b64_json: z.string().describe('The PNG in base64.') })),
  meta: z.object({
    prompt: z.string().describe('The prompt that was painted, cut where it was too long.'),
    width: z.int(),
    height: z.int(),
    steps: z.int(),
    guidance_scale: z.number(),
    seed: z
      .number()
      .min(0)
      .meta({ type: 'integer' })
      .describe('The seed in force: an integer of up to 64 bits, exact to the last digit.'),
    n: z.int(),
    model: z.string(),
    unknown_words: z
      .array(z.string())
      .optional()
      .describe(
        'Words of the prompt that the model does not know, and did not paint; absent where it cannot tell.',
      ),
    timings: z.object({
      queue_wait_s: z.number(),
      decode_s: z.number().nullable().describe('Reading the references; null on generations.'),
      gpu_s: z.number(),
      encode_s: z.number(),
      worker_s: z.number().describe('The sum of the three before it.'),
    }),
  }),
});

/** Writes the response by hand: the seed exceeds a JavaScript number, and the picture is most of the bytes. */
export function writeImageAnswer(image: PaintedImage): Buffer {
  const { width, height, steps, guidanceScale, seed, prompt } = image.order;
  const { model, unknownWords } = image;
  const before = JSON.stringify({ prompt, width, height, steps, guidance_scale: guidanceScale });
  const after = JSON.stringify({ n: 1, model, unknown_words: unknownWords, timings: timingsOf(image) });
  const meta = `${before.slice(0, -1)},"seed":${seed},${after.slice(1)}`;
  const created = Math.floor(image.createdAt.getTime() / 1000);
  const base64 = Buffer.from(image.png.buffer, image.png.byteOffset, image.png.byteLength).toString('base64');
  const head = `{"created":${created},"data":[{"b64_json":"`;
  const tail = Buffer.from(`"}],"meta":${meta}}`);
  const answer = Buffer.allocUnsafe(head.length + base64.length + tail.length);
  answer.write(head, 0, 'latin1');
  answer.write(base64, head.length, 'latin1');
  tail.copy(answer, head.length + base64.length);
  return answer;
}

/** In whole tenths of milliseconds, so that the sum is exact. */
function timingsOf({ timings }: PaintedImage): Readonly<Record<string, number | null>> {
  const decode = timings.decodeMs === undefined ? undefined : tenths(timings.decodeMs);
  const [paint, encode] = [tenths(timings.paintMs), tenths(timings.encodeMs)];
  return {
    queue_wait_s: seconds(tenths(timings.queueWaitMs)),
    decode_s: decode === undefined ? null : seconds(decode),
    gpu_s: seconds(paint),
    encode_s: seconds(encode),
    worker_s: seconds((decode ?? 0) + paint + encode),
  };
}

function tenths(milliseconds: number): number {
  return Math.max(0, Math.round(milliseconds * TENTHS_PER_MS));
}

function seconds(tenthsOfMs: number): number {
  return tenthsOfMs / TENTHS_PER_SECOND;
}
