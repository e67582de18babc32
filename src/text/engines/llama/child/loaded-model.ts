import { setImmediate } from 'node:timers/promises';
import {
  getLlama,
  type Llama,
  LlamaLogLevel,
  type LlamaModel,
  LlamaVocabularyType,
  readGgufFileInfo,
  type Token,
} from 'node-llama-cpp';
import type { Conversation } from '../../../conversation.ts';
import { promptTooLong } from '../../../prompt-fit.ts';
import { type LlamaSetup, longestPrompt, PromptRefused } from '../llama-protocol.ts';
import { adaptedWeights } from './adapted-weights.ts';
import { ChatTemplate, PLAIN_TEMPLATE } from './chat-template.ts';
import { ForgedMarks, piecesOf } from './forged-marks.ts';
import { requireGguf } from './require-gguf.ts';
import { textSlices } from './text-slices.ts';

const PROBE_TOKENS = 64;

type LoadedParts = Pick<LoadedModel, 'llama' | 'model' | 'contextWindow' | 'lora'>;

/** A loaded model and its chat template. */
export class LoadedModel {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly contextWindow: number;
  /** An adapter for every context. */
  readonly lora: string | undefined;
  readonly #template: ChatTemplate;

  private constructor({ llama, model, contextWindow, lora }: LoadedParts) {
    this.llama = llama;
    this.model = model;
    this.contextWindow = contextWindow;
    this.lora = lora;
    const { bosString, eosString } = model.tokens;
    const facts = {
      source: model.fileInfo.metadata.tokenizer?.chat_template ?? PLAIN_TEMPLATE,
      beginText: bosString ?? '',
      endText: eosString ?? '',
    };
    this.#template = new ChatTemplate(facts, new ForgedMarks(marksOf(model)));
  }

  static async load(setup: LlamaSetup): Promise<LoadedModel> {
    const { threads, contextWindow, countsOnly } = setup;
    await requireGguf(setup.modelPath);
    const { modelPath, lora } = await adaptedWeights(setup.modelPath, countsOnly ? undefined : setup.adapter);
    const llama = await getLlama({
      gpu: false,
      build: 'never',
      skipDownload: true,
      maxThreads: mostThreads(threads),
      logLevel: LlamaLogLevel.error,
    });
    const { metadata } = await readGgufFileInfo(modelPath);
    const { architecture } = metadata.general;
    const trained = metadata[architecture]?.context_length ?? contextWindow;
    const model = await llama.loadModel({
      modelPath,
      vocabOnly: countsOnly,
      ...(contextWindow > trained && {
        metadataOverrides: { [architecture]: longerContext(contextWindow, trained) },
      }),
    });
    if (lora !== undefined) await requireFit(model, lora);
    return new LoadedModel({ llama, model, contextWindow, lora });
  }

  /** The tokens of a prompt, up to the start of the answer. */
  promptTokens(conversation: Conversation): readonly Token[] {
    const rendered = this.#template.render(conversation);
    const tokens = piecesOf(rendered).flatMap(({ text, isPlain }) => this.model.tokenize(text, !isPlain));
    const { bos } = this.model.tokens;
    if (bos !== null && this.#lacksBegin(tokens[0])) tokens.unshift(bos);
    return tokens;
  }

  /** Counts the tokens of a prompt. A long one is counted in slices, so that other work runs in between. */
  async countPrompt(conversation: Conversation, signal: AbortSignal): Promise<number> {
    const rendered = this.#template.render(conversation);
    let first: Token | undefined;
    let count = 0;
    for (const { text, isPlain } of piecesOf(rendered)) {
      for (const slice of this.#slicesOf(text)) {
        const tokens = this.model.tokenize(slice, !isPlain);
        first ??= tokens[0];
        count += tokens.length;
        if (slice.length < text.length) await setImmediate(undefined, { signal });
      }
    }
    return this.#lacksBegin(first) ? count + 1 : count;
  }

  /** Only byte-pair tokenizers allow slices. */
  #slicesOf(text: string): Iterable<string> {
    return this.model.vocabularyType === LlamaVocabularyType.bpe ? textSlices(text) : [text];
  }

  #lacksBegin(first: Token | undefined): boolean {
    const { bos, shouldPrependBosToken } = this.model.tokens;
    return bos !== null && shouldPrependBosToken && first !== bos;
  }

  /** Throws if a prompt leaves no room for an answer. */
  requireRoom(promptTokens: number): void {
    const most = longestPrompt(this.contextWindow);
    if (promptTokens <= most) return;
    throw new PromptRefused('prompt-too-long', promptTooLong(promptTokens, most).message);
  }
}

/**
 * The bound on the threads of all conversations together; 0 is none. Conversations of one thread run side by side, and the kernel
 * divides the cores. Within a bound, each token of an answer waits for a batch of every prompt that is being read. The threads of
 * one conversation wait for each other by spinning, so several of them must not outnumber the cores.
 */
function mostThreads(threads: number): number {
  return threads === 1 ? 0 : threads;
}

/** Throws if an adapter is of another model, which llama.cpp tells when a context is made. */
async function requireFit(model: LlamaModel, lora: string): Promise<void> {
  const context = await model.createContext({ contextSize: PROBE_TOKENS, lora });
  await context.dispose();
}

/** YaRN, for a window larger than the trained one. */
function longerContext(contextWindow: number, trained: number) {
  // llama.cpp silently ignores integers for this key, and the binding sends whole numbers as integers.
  const factor = contextWindow / trained + 1e-9;
  return {
    context_length: contextWindow,
    rope: { scaling: { type: 'yarn', factor, original_context_length: trained } },
  };
}

/** The texts of control tokens, such as the end of a turn. */
function marksOf(model: LlamaModel): readonly string[] {
  const marks: string[] = [];
  for (const token of model.iterateAllTokens()) {
    const { control, unknown } = model.getTokenAttributes(token);
    if (control || unknown) marks.push(model.detokenize([token], true));
  }
  return marks;
}
