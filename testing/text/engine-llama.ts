import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecommendedSampling } from '../../src/catalogue/catalogue-entry.ts';
import type { LlamaConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { LlamaEngine, type LlamaEngineOptions } from '../../src/text/engines/llama/llama-engine.ts';
import type { ModelFile } from '../../src/text/engines/llama/model-file.ts';
import { compileSchema } from '../schema/compile-schema.ts';
import { type TinyModelOptions, writeTinyModel } from '../tiny-model/tiny-model.mjs';

/** Settings of the model, the configuration and the engine. */
export interface LlamaEngineSettings {
  readonly model?: TinyModelOptions;
  readonly config?: Partial<LlamaConfig>;
  readonly sampling?: RecommendedSampling;
  readonly rambleTokens?: number;
  readonly made?: Partial<LlamaEngineOptions>;
}

/** An embedded engine with a generated model; disposing it ends its process and checks that nothing is left. */
export class LlamaEngineUnderTest implements AsyncDisposable {
  readonly engine: LlamaEngine;
  readonly folder: string;

  private constructor(folder: string, settings: LlamaEngineSettings) {
    this.folder = folder;
    this.engine = new LlamaEngine({
      config: {
        kind: 'llama',
        model: 'tiny',
        isModelNamed: true,
        threads: 1,
        sequences: 2,
        contextWindow: 2_048,
        idlePauseMinutes: 0,
        extraction: 'grounded',
        adapter: 'none',
        ...settings.config,
      },
      file: { ...fileAt(join(folder, 'tiny.gguf'), settings.sampling), rambleTokens: settings.rambleTokens },
      compileGrammar: async (schema) => compileSchema(schema).grammar,
      folder: join(folder, 'state'),
      log: createLog('silent', { write: () => undefined }),
      ...settings.made,
    });
  }

  static async start(settings: LlamaEngineSettings = {}): Promise<LlamaEngineUnderTest> {
    const folder = mkdtempSync(join(tmpdir(), 'stackgate-llama-'));
    await writeTinyModel(join(folder, 'tiny.gguf'), settings.model);
    return new LlamaEngineUnderTest(folder, settings);
  }

  /** Ids of the engine's running processes. */
  get processIds(): readonly number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && commandOf(name).includes(this.folder))
      .map(Number);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine.close();
    const left = this.processIds;
    const remaining = readdirSync(this.folder);
    rmSync(this.folder, { recursive: true });
    if (left.length > 0) throw new Error('the process of the engine is still there');
    if (remaining.includes('state')) throw new Error('the folder of the engine is still there');
  }
}

/** An existing file. */
export function fileAt(path: string, sampling: RecommendedSampling = { temperature: 0.7 }): ModelFile {
  return { sampling, longestContext: undefined, path: async () => path, wait: undefined, hasFailed: false };
}

function commandOf(processId: string): string {
  try {
    return readFileSync(`/proc/${processId}/cmdline`, 'utf8');
  } catch {
    // It exited meanwhile.
    return '';
  }
}
