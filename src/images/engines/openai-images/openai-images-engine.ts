import type { OpenAiImagesConfig } from '../../../config/config.ts';
import { isRecord } from '../../../lib/json-record.ts';
import type { Lifecycle } from '../../../supervision/lifecycle.ts';
import type { ImageEngine, ImageOrder, Painting } from '../../image-engine.ts';
import { foldSeed } from '../fold-seed.ts';
import { ImageServer, type ImageServerSettings } from '../image-server.ts';
import { noPicture } from '../image-server-faults.ts';
import { pictureInBase64 } from '../picture-in-base64.ts';
import { plainPrompt } from '../plain-prompt.ts';
import { formBody } from './form-body.ts';

const MS_PER_SECOND = 1_000;
// The field name that vLLM-Omni, SGLang and stable-diffusion.cpp all accept for several files.
const PICTURES_FIELD = 'image[]';

export interface OpenAiImagesEngineOptions extends ImageServerSettings {
  readonly config: OpenAiImagesConfig;
}

/** Paints with any server that has the OpenAI image routes. */
export class OpenAiImagesEngine implements ImageEngine {
  readonly #config: OpenAiImagesConfig;
  readonly #server: ImageServer;

  constructor({ config, ...settings }: OpenAiImagesEngineOptions) {
    this.#config = config;
    this.#server = new ImageServer({
      ...settings,
      baseUrl: config.baseUrl,
      apiKey: config.apiKey,
      certificates: config.certificates,
      timeoutMs: config.timeoutSeconds * MS_PER_SECOND,
      healthPaths: ({ basePath, rootPath }) => [`${basePath}/models`, `${rootPath}/health`],
    });
  }

  get model(): string {
    return this.#config.model;
  }

  get maxPromptCharacters(): number {
    return this.#config.maxPromptCharacters;
  }

  get maxReferences(): number {
    return this.#config.maxReferences;
  }

  get lifecycle(): Lifecycle {
    return this.#server;
  }

  async paint(order: ImageOrder, signal: AbortSignal): Promise<Painting> {
    signal.throwIfAborted();
    const fields = this.#fieldsOf(order);
    const { basePath } = this.#server.address;
    const isEdit = order.references.length > 0;
    const path = `${basePath}/images/${isEdit ? 'edits' : 'generations'}`;
    const pictures = { name: PICTURES_FIELD, pngs: order.references };
    const body = isEdit ? formBody(fields, pictures) : JSON.stringify(fields);
    const { answer, paintMs } = await this.#server.paint(path, body, {
      signal,
      traceparent: order.traceparent,
    });
    return { bytes: pictureOf(answer), paintMs, encodeMs: 0 };
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  /** Steps and guidance are sent by the names of vLLM-Omni and SGLang, and also by those of LocalAI. */
  #fieldsOf({
    prompt,
    width,
    height,
    steps,
    guidanceScale,
    seed,
  }: ImageOrder): Record<string, string | number> {
    return {
      model: this.#config.model,
      prompt: plainPrompt(prompt),
      n: 1,
      size: `${width}x${height}`,
      response_format: 'b64_json',
      output_format: 'png',
      num_inference_steps: steps,
      guidance_scale: guidanceScale,
      seed: foldSeed(seed),
      step: steps,
      cfg_scale: guidanceScale,
    };
  }
}

function pictureOf(answer: unknown): Buffer {
  const list = isRecord(answer) && Array.isArray(answer.data) ? answer.data : [];
  const first: unknown = list[0];
  const picture = isRecord(first) ? pictureInBase64(first.b64_json) : undefined;
  if (picture === undefined) throw noPicture();
  return picture;
}
