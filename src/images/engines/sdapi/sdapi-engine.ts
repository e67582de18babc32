import type { SdapiConfig } from '../../../config/config.ts';
import { isRecord } from '../../../lib/json-record.ts';
import type { Lifecycle } from '../../../supervision/lifecycle.ts';
import type { ImageEngine, ImageOrder, Painting } from '../../image-engine.ts';
import { foldSeed } from '../fold-seed.ts';
import { ImageServer, type ImageServerSettings } from '../image-server.ts';
import { noPicture } from '../image-server-faults.ts';
import { pictureInBase64 } from '../picture-in-base64.ts';
import { plainPrompt } from '../plain-prompt.ts';

const MS_PER_SECOND = 1_000;
/** The servers' own default, sent explicitly. */
const DENOISING_STRENGTH = 0.75;

export interface SdapiEngineOptions extends ImageServerSettings {
  readonly config: SdapiConfig;
}

/** Paints with AUTOMATIC1111, Forge, stable-diffusion.cpp and others with their routes. */
export class SdapiEngine implements ImageEngine {
  readonly #config: SdapiConfig;
  readonly #server: ImageServer;

  constructor({ config, ...settings }: SdapiEngineOptions) {
    this.#config = config;
    this.#server = new ImageServer({
      ...settings,
      baseUrl: config.baseUrl,
      apiKey: undefined,
      certificates: config.certificates,
      timeoutMs: config.timeoutSeconds * MS_PER_SECOND,
      healthPaths: ({ basePath }) => [`${basePath}/sdapi/v1/sd-models`, `${basePath}/sdapi/v1/options`],
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
    const isEdit = order.references.length > 0;
    const path = `${this.#server.address.basePath}/sdapi/v1/${isEdit ? 'img2img' : 'txt2img'}`;
    const body = { ...this.#fieldsOf(order), ...(isEdit ? this.#picturesOf(order) : {}) };
    const { answer, paintMs } = await this.#server.paint(path, JSON.stringify(body), {
      signal,
      traceparent: order.traceparent,
    });
    return { bytes: pictureOf(answer), paintMs, encodeMs: 0 };
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  #fieldsOf({ prompt, width, height, steps, guidanceScale, seed }: ImageOrder): object {
    return {
      prompt: plainPrompt(prompt),
      width,
      height,
      steps,
      cfg_scale: guidanceScale,
      seed: foldSeed(seed),
      batch_size: 1,
      n_iter: 1,
      send_images: true,
      save_images: false,
      // This checkpoint, the requested number of steps also in edits, and a PNG.
      override_settings: {
        sd_model_checkpoint: this.#config.model,
        img2img_fix_steps: true,
        samples_format: 'png',
      },
      override_settings_restore_afterwards: false,
    };
  }

  /**
   * For AUTOMATIC1111 several `init_images` are a batch of separate paintings. stable-diffusion.cpp takes references beside the
   * first picture, and its edit models want that one among them too.
   */
  #picturesOf({ references }: ImageOrder): object {
    const pictures = references.map((png) => Buffer.from(png).toString('base64'));
    const extra = this.#config.maxReferences > 1 ? { extra_images: pictures } : {};
    return { init_images: pictures.slice(0, 1), denoising_strength: DENOISING_STRENGTH, ...extra };
  }
}

function pictureOf(answer: unknown): Buffer {
  const list = isRecord(answer) && Array.isArray(answer.images) ? answer.images : [];
  const picture = pictureInBase64(list[0]);
  if (picture === undefined) throw noPicture();
  return picture;
}
