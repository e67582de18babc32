import type { Caller } from '../access/caller.ts';
import { permitsUse } from '../access/key-guard.ts';
import { andThen } from '../lib/and-then.ts';
import { HostedAnswer } from './hosted-answer.ts';
import type { HostedKind, HostedSettings, HostedTool, IsHostedOpen } from './hosted-tool.ts';
import type { AnswerSink, TextAnswer } from './text-engine.ts';
import type { TextAsk, TextService } from './text-service.ts';

/** The hosted tools of one request. */
export interface HostedRequest {
  /** By the names under which the model calls them. */
  readonly tools: ReadonlyMap<string, HostedSettings>;
  /** Further calls are not run. */
  readonly mostCalls: number;
}

/** The tools that the gateway runs itself, for requests that ask for them. */
export class HostedTools {
  readonly #text: Pick<TextService, 'answer'>;
  readonly #tools: ReadonlyMap<HostedKind, HostedTool>;

  constructor(text: Pick<TextService, 'answer'>, tools: readonly HostedTool[]) {
    this.#text = text;
    this.#tools = new Map(tools.map((tool) => [tool.kind, tool]));
  }

  /** Whether a caller may use a kind of tool. */
  openTo(caller: Caller): IsHostedOpen {
    return (kind) => {
      const tool = this.#tools.get(kind);
      return tool !== undefined && permitsUse(caller, tool) && tool.isOpenTo(caller);
    };
  }

  /** Answers as the text service does, and runs the calls of hosted tools in between. */
  answer(
    caller: Caller,
    ask: TextAsk & { readonly hosted: HostedRequest },
    sink: AnswerSink,
  ): TextAnswer | Promise<TextAnswer> {
    const { hosted, ...first } = ask;
    const answer = new HostedAnswer(
      { text: this.#text, tools: this.#tools, caller, ask: first, hosted },
      sink,
    );
    return andThen(this.#text.answer(caller, first, answer), (asked) => answer.of(asked));
  }
}
