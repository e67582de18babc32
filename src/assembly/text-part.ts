import type { Config, TextEngineConfig } from '../config/config.ts';
import type { Log } from '../telemetry/log.ts';
import type { AttachmentReader } from '../text/attachment-reader.ts';
import { OpenAiEngine } from '../text/engines/openai/openai-engine.ts';
import { PromptBuilder } from '../text/prompt-builder.ts';
import { StackWaker } from '../text/stack-waker.ts';
import { TextService } from '../text/text-service.ts';
import type { GatewayPart, NamedState } from './gateway-part.ts';

export interface TextPartOptions {
  readonly config: Config;
  readonly log: Log;
  /** Reads what a model cannot see. */
  readonly reader: AttachmentReader;
}

/** Chat, messages and counting: the text engines and the service in front of them. */
export class TextPart implements GatewayPart {
  readonly service: TextService;
  readonly #configured: Readonly<Record<string, TextEngineConfig>>;
  readonly #engines = new Map<string, OpenAiEngine>();

  constructor({ config, log, reader }: TextPartOptions) {
    this.#configured = config.engines.text;
    for (const [name, engine] of Object.entries(config.engines.text)) {
      if (engine.kind === 'openai') this.#engines.set(name, new OpenAiEngine({ config: engine, log }));
    }
    this.service = new TextService({
      engines: this.#engines,
      builder: new PromptBuilder({ reader, retriever: undefined }),
      waker: new StackWaker(),
    });
  }

  states(): readonly NamedState[] {
    return Object.keys(this.#configured).map((name) => [
      `text:${name}`,
      this.#engines.get(name)?.lifecycle.state ?? 'degraded',
    ]);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#engines.values()].map((engine) => engine.close()));
  }
}
