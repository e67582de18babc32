import { join } from 'node:path';
import { StackWaker } from '../access/stack-waker.ts';
import type { ModelFetch } from '../catalogue/model-fetch.ts';
import type { ModelStore } from '../catalogue/model-store.ts';
import type { Config, LlamaConfig } from '../config/config.ts';
import type { StackFiles } from '../files/stack-files.ts';
import type { SchemaService } from '../schema/service/schema-service.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { AttachmentReader } from '../text/attachment-reader.ts';
import type { CheckOutput } from '../text/complete-outputs.ts';
import { adapterOf } from '../text/engines/llama/built-in-adapter.ts';
import { CatalogueModelFile } from '../text/engines/llama/catalogue-model-file.ts';
import { LlamaEngine } from '../text/engines/llama/llama-engine.ts';
import { OpenAiEngine } from '../text/engines/openai/openai-engine.ts';
import { OutputChecker } from '../text/output-checker.ts';
import { PromptBuilder } from '../text/prompt-builder.ts';
import type { Retriever } from '../text/retriever.ts';
import type { TextEngine } from '../text/text-engine.ts';
import { TextService } from '../text/text-service.ts';
import type { GatewayModule, NamedState, QueueDepth } from './gateway-module.ts';

export interface TextPartOptions {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly schemas: SchemaService;
  /** The catalogue. */
  readonly entries: ModelStore['entries'];
  readonly models: ModelFetch;
  /** Reads attachments the model cannot see. */
  readonly reader: AttachmentReader;
  /** For keys with retrieval. */
  readonly retriever: Retriever;
  readonly files: StackFiles;
}

/** Chat, messages and token counting: the text engines and their service. */
export class TextModule implements GatewayModule {
  readonly service: TextService;
  readonly #engines = new Map<string, OpenAiEngine | LlamaEngine>();
  readonly #grounded = new Set<TextEngine>();
  readonly #checker: OutputChecker;

  constructor(options: TextPartOptions) {
    const { config, log, reader, retriever, schemas, metrics } = options;
    this.#checker = new OutputChecker({ schemas, log, onMiss: (engine) => metrics.schemas.missed(engine) });
    for (const [name, engine] of Object.entries(config.engines.text)) {
      const label = labelOf(name);
      metrics.schemas.show(label);
      const checkOutput = this.#checker.forEngine(label);
      const opened =
        engine.kind === 'openai'
          ? new OpenAiEngine({
              config: engine,
              log,
              checkOutput,
              onProbe: () => metrics.schemas.probed(label),
            })
          : openEmbedded(name, engine, { ...options, checkOutput });
      this.#engines.set(name, opened);
      if (engine.kind === 'llama' && engine.extraction === 'grounded') this.#grounded.add(opened);
    }
    this.service = new TextService({
      engines: this.#engines,
      builder: new PromptBuilder({ reader, retriever, files: options.files }),
      waker: new StackWaker(),
    });
  }

  /** Whether the engine is configured for grounded extraction. */
  isGrounded(engine: TextEngine): boolean {
    return this.#grounded.has(engine);
  }

  /** Resolves with the embedded model's name once it is ready; undefined if the engine is not embedded. */
  async embeddedModelReady(engineName: string, signal: AbortSignal): Promise<string | undefined> {
    const engine = this.#engines.get(engineName);
    if (!(engine instanceof LlamaEngine)) return undefined;
    await engine.lifecycle.ready(signal);
    return engine.model;
  }

  states(): readonly NamedState[] {
    return [...this.#engines].map(([name, engine]) => [labelOf(name), engine.lifecycle.state]);
  }

  queueDepths(): readonly QueueDepth[] {
    return [...this.#engines].flatMap(([name, engine]) =>
      engine instanceof LlamaEngine ? [[labelOf(name), engine.waiting] as const] : [],
    );
  }

  start(): void {
    for (const engine of this.#engines.values()) if (engine instanceof LlamaEngine) engine.start();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#engines.values()].map((engine) => engine.close()));
    await this.#checker.stop();
  }
}

function openEmbedded(
  name: string,
  config: LlamaConfig,
  {
    config: { dataDir },
    log,
    schemas,
    entries,
    models,
    checkOutput,
  }: TextPartOptions & { readonly checkOutput: CheckOutput },
): LlamaEngine {
  const { model } = config;
  const entry = entries.find((known) => known.name === model);
  const isAdapted = adapterOf(config)?.kind === 'built-in';
  return new LlamaEngine({
    config,
    file: new CatalogueModelFile({ model, entry, fetch: models, isAdapted }),
    compileGrammar: async (schema, work) => (await schemas.compile(schema, {}, work)).grammar,
    folder: join(dataDir, 'tmp', `text-${name}-${process.pid}`),
    log,
    checkOutput,
  });
}

/** An engine's metric label. */
function labelOf(name: string): string {
  return `text:${name}`;
}
