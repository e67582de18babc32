import { jsonAnswer } from './chat.mjs';
import { makePng } from './make-png.mjs';

const CREATED = 1_700_000_000;
const MAXIMUM_SIDE = 4_096;
const MAXIMUM_IMAGES = 10;

/** `POST /v1/images/generations` and, with the fields of its form, `/v1/images/edits`. */
export function answerOpenAiImages(fields, plan = {}) {
  if (plan.image !== undefined)
    return jsonAnswer({ created: CREATED, data: [{ b64_json: plan.image.toString('base64') }] });
  if (plan.answer !== undefined) return jsonAnswer(plan.answer);
  const [width, height] = String(fields.size ?? '1024x1024')
    .split('x')
    .map(Number);
  const seed = Number(fields.seed ?? 0);
  const images = paint({ width, height, seed, count: Number(fields.n ?? 1) });
  if (images === undefined) return badSize();
  return jsonAnswer({
    created: CREATED,
    data: images.map((image) => ({ b64_json: image.toString('base64') })),
  });
}

/** `POST /sdapi/v1/txt2img` and `/sdapi/v1/img2img`. */
export function answerSdapi(body, plan = {}) {
  if (plan.image !== undefined)
    return jsonAnswer({ images: [plan.image.toString('base64')], parameters: {}, info: '{}' });
  if (plan.answer !== undefined) return jsonAnswer(plan.answer);
  const { width = 512, height = 512, seed = -1, batch_size: count = 1 } = body;
  const usedSeed = seed < 0 ? 1 : seed;
  const images = paint({ width, height, seed: usedSeed, count });
  if (images === undefined) return badSize();
  const seeds = images.map((_, index) => usedSeed + index);
  return jsonAnswer({
    images: images.map((image) => image.toString('base64')),
    parameters: { ...body, init_images: undefined },
    info: JSON.stringify({ prompt: body.prompt, seed: usedSeed, all_seeds: seeds, width, height }),
  });
}

/** `GET /sdapi/v1/sd-models`. */
export function listCheckpoints({ options: { model } }) {
  return jsonAnswer([
    { title: model, model_name: model, hash: null, sha256: null, filename: model, config: null },
  ]);
}

function paint({ width, height, seed, count }) {
  if (!isWithin(width, MAXIMUM_SIDE) || !isWithin(height, MAXIMUM_SIDE) || !isWithin(count, MAXIMUM_IMAGES)) {
    return undefined;
  }
  return Array.from({ length: count }, (_, index) => makePng({ width, height, seed: seed + index }));
}

function isWithin(value, maximum) {
  return Number.isInteger(value) && value >= 1 && value <= maximum;
}

function badSize() {
  return jsonAnswer({ error: { message: 'bad size or count', type: 'invalid_request_error' } }, 400);
}
