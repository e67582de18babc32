import {
  getLlama,
  type Llama,
  LlamaLogLevel,
  type LlamaModel,
  readGgufFileInfo,
  type Token,
} from 'node-llama-cpp';
import type { Conversation } from '../../../conversation.ts';
import { promptTooLong } from '../../../prompt-fit.ts';
import { type LlamaSetup, longestPrompt, PromptRefused } from '../llama-protocol.ts';
import { ChatTemplate, PLAIN_TEMPLATE } from './chat-template.ts';
import { ForgedMarks, piecesOf } from './forged-marks.ts';
import { requireGguf } from './require-gguf.ts';

/** A model in memory, with its prompts. */
export class LoadedModel {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly contextWindow: number;
  readonly #template: ChatTemplate;

  private constructor(llama: Llama, model: LlamaModel, contextWindow: number) {
    this.llama = llama;
    this.model = model;
    this.contextWindow = contextWindow;
    const { bosString, eosString } = model.tokens;
    const facts = {
      source: model.fileInfo.metadata.tokenizer?.chat_template ?? PLAIN_TEMPLATE,
      beginText: bosString ?? '',
      endText: eosString ?? '',
    };
    this.#template = new ChatTemplate(facts, new ForgedMarks(marksOf(model)));
  }

  static async load(setup: LlamaSetup): Promise<LoadedModel> {
    const { threads, modelPath, contextWindow } = setup;
    await requireGguf(modelPath);
    const llama = await getLlama({
      gpu: false,
      build: 'never',
      skipDownload: true,
      maxThreads: threads,
      logLevel: LlamaLogLevel.error,
    });
    const { metadata } = await readGgufFileInfo(modelPath);
    const { architecture } = metadata.general;
    const trained = metadata[architecture]?.context_length ?? contextWindow;
    const model = await llama.loadModel({
      modelPath,
      ...(contextWindow > trained && {
        metadataOverrides: { [architecture]: longerContext(contextWindow, trained) },
      }),
    });
    return new LoadedModel(llama, model, contextWindow);
  }

  /** The tokens of a prompt, up to where the answer begins. */
  promptTokens(conversation: Conversation): readonly Token[] {
    const rendered = this.#template.render(conversation);
    const tokens = piecesOf(rendered).flatMap(({ text, isPlain }) => this.model.tokenize(text, !isPlain));
    const { bos, shouldPrependBosToken } = this.model.tokens;
    if (bos !== null && shouldPrependBosToken && tokens[0] !== bos) tokens.unshift(bos);
    return tokens;
  }

  /** Refuses a prompt that leaves no room for an answer. */
  requireRoom(promptTokens: number): void {
    const most = longestPrompt(this.contextWindow);
    if (promptTokens <= most) return;
    throw new PromptRefused('prompt-too-long', promptTooLong(promptTokens, most).message);
  }
}

/** YaRN, for a window beyond what the model was trained on. */
function longerContext(contextWindow: number, trained: number) {
  // llama.cpp refuses a whole number for this key, silently: the binding sends those as integers.
  const factor = contextWindow / trained + 1e-9;
  return {
    context_length: contextWindow,
    rope: { scaling: { type: 'yarn', factor, original_context_length: trained } },
  };
}

/** The texts that stand for control tokens, such as the one that ends a turn. */
function marksOf(model: LlamaModel): readonly string[] {
  const marks: string[] = [];
  for (const token of model.iterateAllTokens()) {
    const { control, unknown } = model.getTokenAttributes(token);
    if (control || unknown) marks.push(model.detokenize([token], true));
  }
  return marks;
}
