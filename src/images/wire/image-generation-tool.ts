import type { Caller } from '../../access/caller.ts';
import type { MeteredWork } from '../../access/meter.ts';
import type { HostedCall, HostedResult, HostedTool } from '../../text/hosted-tool.ts';
import type { ImageService } from '../image-service.ts';
import { readGeneration } from './read-image-request.ts';

const TOLD = 'The image was painted, and the user sees it.';

/** Paints an image when the model calls for it, under the limits of image requests, and keeps it in the gallery. */
export class ImageGenerationTool implements HostedTool {
  readonly kind = 'image-generation';
  readonly scope = 'images';
  readonly isForReaders = false;
  readonly #service: Pick<ImageService, 'engineOf' | 'isOpenTo' | 'paint'>;

  constructor(service: Pick<ImageService, 'engineOf' | 'isOpenTo' | 'paint'>) {
    this.#service = service;
  }

  isOpenTo(caller: Caller): boolean {
    return this.#service.isOpenTo(caller) && this.#service.engineOf(caller) !== undefined;
  }

  async run(caller: Caller, call: HostedCall, work: MeteredWork): Promise<HostedResult> {
    const { prompt } = call.arguments;
    const context = { keyPrompt: caller.key.prompt, engine: this.#service.engineOf(caller) };
    const request = readGeneration({ prompt, size: call.settings.imageSize }, context);
    const { png, order } = await this.#service.paint(caller, request, work);
    const base64 = Buffer.from(png).toString('base64');
    const size = `${order.width}x${order.height}`;
    return { outcome: { type: 'painted', base64, prompt: order.prompt, size }, told: TOLD };
  }
}
