import type { Caller } from '../access/caller.ts';
import { toFault } from '../faults/fault.ts';
import { isRecord, type JsonRecord, tryParseJson } from '../lib/json-record.ts';
import { type AssistantTurn, type Conversation, changed, type ToolCall, type Turn } from './conversation.ts';
import type { FoundPassage } from './found-passage.ts';
import type { HostedKind, HostedResult, HostedTool } from './hosted-tool.ts';
import type { HostedRequest } from './hosted-tools.ts';
import { type Reply, ReplyCollector } from './reply.ts';
import type { AnswerSink, TextAnswer } from './text-engine.ts';
import type { FinishEvent, StartEvent, TextEvent, Usage } from './text-event.ts';
import type { TextAsk, TextService } from './text-service.ts';

export interface HostedAnswerParts {
  readonly text: Pick<TextService, 'answer'>;
  readonly tools: ReadonlyMap<HostedKind, HostedTool>;
  readonly caller: Caller;
  /** The first call of the engine. */
  readonly ask: TextAsk;
  readonly hosted: HostedRequest;
}

const LIMIT_TOLD = 'This call was not run: the limit of calls is reached. Answer with what you have.';

/**
 * Joins several calls of the engine to one answer: while the model calls only hosted tools, they are run and the model goes on
 * with their results. A hosted call is a block whose text is its outcome as JSON; it begins when the tool does.
 */
export class HostedAnswer implements TextAnswer, AnswerSink {
  readonly #parts: HostedAnswerParts;
  readonly #sink: AnswerSink;
  readonly #stopping = new AbortController();
  #conversation: Conversation;
  #answer!: TextAnswer;
  #round = new ReplyCollector();
  #isHeld = false;
  #hasStarted = false;
  #isFlowing = true;
  #calls = 0;
  #passages = 0;
  #usage: Usage = { promptTokens: 0, completionTokens: 0 };

  constructor(parts: HostedAnswerParts, sink: AnswerSink) {
    this.#parts = parts;
    this.#sink = sink;
    this.#conversation = parts.ask.conversation;
  }

  /** Sets the engine's first answer, which has this one as its sink. */
  of(answer: TextAnswer): this {
    this.#answer = answer;
    return this;
  }

  get passages(): readonly FoundPassage[] {
    return this.#answer.passages;
  }

  begin(): void {
    this.#answer.begin();
  }

  stop(): void {
    this.#stopping.abort(new Error('the answer is not wanted any more'));
    this.#answer.stop();
  }

  setFlowing(isFlowing: boolean): void {
    this.#isFlowing = isFlowing;
    this.#answer.setFlowing(isFlowing);
  }

  start(signal: AbortSignal): Promise<StartEvent> {
    return this.#answer.start(signal);
  }

  onEvents(events: readonly TextEvent[]): void {
    const passed = events.filter((event) => this.#take(event));
    const last = events.at(-1);
    if (last?.type !== 'finish') {
      if (passed.length > 0) this.#sink.onEvents(passed);
      return;
    }
    const { promptTokens, completionTokens } = last.usage;
    this.#usage = {
      promptTokens: this.#usage.promptTokens + promptTokens,
      completionTokens: this.#usage.completionTokens + completionTokens,
    };
    const reply = this.#round.reply();
    const calls =
      last.reason === 'tool-calls' ? callsOf(reply).filter(({ name }) => this.#isHosted(name)) : [];
    if (calls.length === 0) {
      this.#sink.onEvents([...passed, this.#finish(last)]);
      return;
    }
    if (passed.length > 0) this.#sink.onEvents(passed);
    void this.#goOn(reply, calls, last);
  }

  onFailure(error: unknown): void {
    if (!this.#stopping.signal.aborted) this.#sink.onFailure(error);
  }

  /** Records an event of this call of the engine; whether it is passed on. */
  #take(event: TextEvent): boolean {
    this.#round.add(event);
    switch (event.type) {
      case 'start': {
        const isFirst = !this.#hasStarted;
        this.#hasStarted = true;
        return isFirst;
      }
      case 'block-start':
        this.#isHeld = event.block.type === 'tool-call' && this.#isHosted(event.block.name);
        return !this.#isHeld;
      case 'block-delta':
      case 'block-end':
        return !this.#isHeld;
      case 'finish':
        return false;
    }
  }

  #isHosted(name: string): boolean {
    return this.#parts.hosted.tools.has(name);
  }

  #finish(last: FinishEvent): FinishEvent {
    return { ...last, usage: this.#usage };
  }

  /** Runs the calls one after the other, and has the model go on unless the client must answer a call too. */
  async #goOn(reply: Reply, calls: readonly ToolCall[], last: FinishEvent): Promise<void> {
    try {
      const results: Turn[] = [];
      for (const call of calls) {
        const told = await this.#run(call);
        if (this.#stopping.signal.aborted) return;
        results.push({
          role: 'tool',
          callId: call.id,
          parts: [{ type: 'text', text: told }],
          isError: false,
        });
      }
      if (callsOf(reply).length > calls.length) this.#sink.onEvents([this.#finish(last)]);
      else await this.#askAgain([...this.#conversation.turns, turnOf(reply), ...results]);
    } catch (error) {
      this.onFailure(error);
    }
  }

  async #askAgain(turns: readonly Turn[]): Promise<void> {
    const { text, caller, ask, hosted } = this.#parts;
    const isSpent = this.#calls >= hosted.mostCalls;
    const { tools } = this.#conversation;
    // A choice that demands a call is met by the first one.
    this.#conversation = changed(this.#conversation, {
      turns,
      toolChoice: 'auto',
      tools: isSpent ? tools.filter(({ name }) => !this.#isHosted(name)) : tools,
    });
    this.#round = new ReplyCollector();
    const answer = await text.answer(caller, { ...ask, conversation: this.#conversation }, this);
    if (this.#stopping.signal.aborted) return;
    this.#answer = answer;
    answer.setFlowing(this.#isFlowing);
    answer.begin();
  }

  /** Runs a call, shows it to the client, and returns what the model is told. */
  async #run({ id, name, arguments: given }: ToolCall): Promise<string> {
    const settings = this.#parts.hosted.tools.get(name);
    const tool = settings && this.#parts.tools.get(settings.kind);
    if (settings === undefined || tool === undefined || this.#calls >= this.#parts.hosted.mostCalls)
      return LIMIT_TOLD;
    this.#calls += 1;
    this.#sink.onEvents([{ type: 'block-start', block: { type: 'tool-call', id, name } }]);
    const { caller, ask } = this.#parts;
    const signal = AbortSignal.any([this.#stopping.signal, ask.request.signal]);
    const call = { arguments: argumentsOf(given), settings, earlierPassages: this.#passages };
    const { outcome, told } = await tool
      .run(caller, call, { meter: ask.meter, signal })
      .catch((error) => failed(error, signal));
    if (outcome.type === 'found') this.#passages += outcome.passages.length;
    if (!signal.aborted)
      this.#sink.onEvents([{ type: 'block-delta', text: JSON.stringify(outcome) }, { type: 'block-end' }]);
    return told;
  }
}

function callsOf({ blocks }: Reply): readonly ToolCall[] {
  return blocks.flatMap(({ block, text }) =>
    block.type === 'tool-call' ? [{ id: block.id, name: block.name, arguments: text || '{}' }] : [],
  );
}

function turnOf(reply: Reply): AssistantTurn {
  const textsOf = (type: 'text' | 'reasoning') =>
    reply.blocks.flatMap(({ block, text }) => (block.type === type ? [text] : [])).join('\n');
  const turn: AssistantTurn = { role: 'assistant', text: textsOf('text'), toolCalls: callsOf(reply) };
  const reasoning = textsOf('reasoning');
  return reasoning === '' ? turn : { ...turn, reasoning };
}

/** No arguments if the model wrote something else. */
function argumentsOf(text: string): JsonRecord {
  const parsed = tryParseJson(text);
  return isRecord(parsed) ? parsed : {};
}

function failed(error: unknown, signal: AbortSignal): HostedResult {
  signal.throwIfAborted();
  const { message } = toFault(error);
  return { outcome: { type: 'failed', message }, told: `The call failed: ${message}` };
}
