import { useQuery } from '@tanstack/react-query';
import { memo, useCallback, useEffect, useRef, useState } from 'react';
import { askJson, playground } from '../../api/client.ts';
import { choice, flag, json, number, text } from '../../state/url-state.ts';
import { useUrlState } from '../../state/use-url-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Choice, Segments } from '../../ui/choice.tsx';
import { CodeBlock, JsonText } from '../../ui/code.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { NumberField, TextArea, Toggle } from '../../ui/field.tsx';
import { formatDuration, formatNumber } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Problem } from '../../ui/notes.tsx';
import { Card } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { jsonValue, problemOf, typedJson } from '../json-text.ts';
import { PlaygroundPage } from '../playground-page.tsx';
import { prettyJson } from '../pretty-json.ts';
import { type Run, runChat, WIRES, type WireName } from './run-chat.ts';
import { areTools, areTurns, type ChatAnswer, type ChatForm, type Turn } from './turn.ts';

const SHAPE = {
  stack: text(),
  wire: choice(['chat', 'messages', 'responses'], 'chat'),
  model: text(),
  system: text(),
  turns: json<readonly Turn[]>([], areTurns),
  draft: text(),
  temperature: number(null),
  maxTokens: number(null),
  stream: flag(true),
  tools: text(),
  schema: text(),
};
const EXAMPLE_TOOLS = prettyJson([
  {
    name: 'weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]);

/** A conversation with the model of a stack, over any of the three wires. */
export function ChatPage() {
  const [state, change] = useUrlState(SHAPE);
  const tools = typedJson(state.tools);
  const schema = typedJson(state.schema);
  const toolList = jsonValue(tools);
  const toolProblem =
    problemOf(tools) ??
    (toolList !== undefined && !areTools(toolList)
      ? 'A list of {name, description, parameters} is needed.'
      : undefined);
  const models = useModels(state.stack);
  const model = state.model || (models[0] ?? '');
  const formWith = (turns: readonly Turn[]): ChatForm => ({
    ...state,
    model,
    turns,
    tools: areTools(toolList) ? toolList : [],
    schema: jsonValue(schema),
  });
  const withDraft =
    state.draft.trim() === '' ? state.turns : [...state.turns, { role: 'user' as const, text: state.draft }];
  const chat = useChat();
  const send = async (turns: readonly Turn[]) => {
    change({ turns, draft: '' });
    const answer = await chat.send({ wire: state.wire, stack: state.stack, form: formWith(turns) });
    if (answer !== undefined) change({ turns: [...turns, answer] });
  };
  const onStack = useCallback((stack: string) => change({ stack }), [change]);
  return (
    <PlaygroundPage
      title="Chat"
      stack={state.stack}
      onStack={onStack}
      request={() => ({
        path: WIRES[state.wire].path,
        body: prettyJson(WIRES[state.wire].request(formWith(withDraft))),
        streams: state.stream,
      })}
      actions={
        <Segments
          label="Wire"
          value={state.wire}
          onChange={(wire) => change({ wire })}
          options={[
            { value: 'chat', label: 'Chat', note: '/v1/chat/completions' },
            { value: 'messages', label: 'Messages', note: '/v1/messages' },
            { value: 'responses', label: 'Responses', note: '/v1/responses' },
          ]}
        />
      }
    >
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_320px]">
        <section
          aria-label="Chat"
          className="flex h-[calc(100dvh-8.5rem)] min-h-[28rem] flex-col rounded-lg border border-line bg-surface"
        >
          <Conversation
            turns={state.turns}
            run={chat.run}
            isRunning={chat.isRunning}
            onChange={(turns) => change({ turns })}
            onResult={(turns) => void send(turns)}
          />
          {chat.error !== undefined && (
            <div className="px-4 pb-3">
              <Problem error={chat.error} />
            </div>
          )}
          {chat.run !== undefined && <RunNumbers run={chat.run} />}
          <Composer
            draft={state.draft}
            onDraft={(draft) => change({ draft })}
            isRunning={chat.isRunning}
            canSend={
              state.stack !== '' &&
              (state.draft.trim() !== '' || state.turns.at(-1)?.role !== 'assistant') &&
              withDraft.length > 0 &&
              toolProblem === undefined &&
              problemOf(schema) === undefined
            }
            onSend={() => void send(withDraft)}
            onStop={chat.stop}
            onClear={() => {
              chat.reset();
              change({ turns: [], draft: '' });
            }}
          />
        </section>
        <div className="flex flex-col gap-5">
          <Card title="Settings">
            <div className="flex flex-col gap-4">
              <Choice
                label="Model"
                value={model}
                onChange={(next) => change({ model: next })}
                options={(models.includes(model) ? models : [model, ...models]).map((value) => ({
                  value,
                  label: value || 'none',
                }))}
              />
              <TextArea
                label="System"
                rows={3}
                value={state.system}
                onText={(system) => change({ system })}
                placeholder="Empty: the stack’s own prompt"
              />
              <div className="grid grid-cols-2 gap-3">
                <NumberField
                  label="Temperature"
                  min={0}
                  max={2}
                  step={0.1}
                  placeholder="as the stack"
                  value={state.temperature}
                  onNumber={(temperature) => change({ temperature })}
                />
                <NumberField
                  label="Most tokens"
                  min={1}
                  placeholder="8000"
                  value={state.maxTokens}
                  onNumber={(maxTokens) => change({ maxTokens })}
                />
              </div>
              <Toggle
                label="Stream the answer"
                checked={state.stream}
                onChange={(stream) => change({ stream })}
              />
              <TextArea
                code
                label="Schema of the answer"
                rows={state.schema === '' ? 2 : 8}
                value={state.schema}
                onText={(next) => change({ schema: next })}
                placeholder='{"type": "object", …}'
                error={problemOf(schema)}
              />
              <TextArea
                code
                label="Tools"
                rows={state.tools === '' ? 2 : 8}
                value={state.tools}
                onText={(next) => change({ tools: next })}
                placeholder="[{&quot;name&quot;: …, &quot;parameters&quot;: …}]"
                error={toolProblem}
              />
              {state.tools === '' && (
                <Button
                  size="small"
                  look="quiet"
                  className="self-start"
                  onClick={() => change({ tools: EXAMPLE_TOOLS })}
                >
                  Insert an example of a tool
                </Button>
              )}
            </div>
          </Card>
        </div>
      </div>
      <RunDetails run={chat.run} wire={state.wire} form={() => formWith(state.turns)} />
    </PlaygroundPage>
  );
}

function useModels(stack: string): readonly string[] {
  const models = useQuery({
    queryKey: ['models', stack],
    queryFn: ({ signal }) =>
      askJson<{ data: readonly { id: string }[] }>(playground(stack, '/v1/models'), { signal }),
    enabled: stack !== '',
    select: ({ data }) => data.map(({ id }) => id),
  });
  return models.data ?? [];
}

/** One answer at a time. */
function useChat() {
  const [run, setRun] = useState<Run>();
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const stopper = useRef<AbortController>(undefined);
  useEffect(() => () => stopper.current?.abort(), []);
  const send = async (order: {
    wire: WireName;
    stack: string;
    form: ChatForm;
  }): Promise<Turn | undefined> => {
    const stop = new AbortController();
    stopper.current = stop;
    let last: Run | undefined;
    setRun(undefined);
    setError(undefined);
    setRunning(true);
    try {
      last = await runChat({
        ...order,
        signal: stop.signal,
        onRun: (next) => {
          last = next;
          setRun(next);
        },
      });
      setRun(last);
      if (last.answer.problem !== null) setError(new Error(last.answer.problem));
    } catch (problem) {
      if (!stop.signal.aborted) setError(problem);
    } finally {
      setRunning(false);
    }
    return last === undefined ? undefined : turnOf(last.answer);
  };
  const reset = () => {
    stopper.current?.abort();
    setRun(undefined);
    setError(undefined);
  };
  return { run, error, isRunning, send, reset, stop: () => stopper.current?.abort() };
}

function turnOf({ text: said, calls }: ChatAnswer): Turn | undefined {
  if (said === '' && calls.length === 0) return undefined;
  return { role: 'assistant', text: said, ...(calls.length > 0 && { calls }) };
}

interface ConversationProps {
  readonly turns: readonly Turn[];
  readonly run: Run | undefined;
  readonly isRunning: boolean;
  readonly onChange: (turns: readonly Turn[]) => void;
  readonly onResult: (turns: readonly Turn[]) => void;
}

function Conversation({ turns, run, isRunning, onChange, onResult }: ConversationProps) {
  const end = useRef<HTMLDivElement>(null);
  const said = run?.answer.text.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls with every piece of the answer
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [turns.length, said]);
  const remove = useCallback((index: number) => onChange(turns.slice(0, index)), [onChange, turns]);
  if (turns.length === 0 && !isRunning) {
    return (
      <div className="grid flex-1 place-items-center">
        <Empty icon="chat" title="Ask something">
          It runs as the chosen stack, with its prompt, model and limits, and is counted under the key
          “console”.
        </Empty>
      </div>
    );
  }
  const last = turns.at(-1);
  const missing = last?.role === 'assistant' ? (last.calls ?? []) : [];
  return (
    <div
      className="min-h-0 flex-1 overflow-y-auto px-4 py-3 focus-visible:-outline-offset-2"
      role="log"
      aria-label="Conversation"
      tabIndex={0}
    >
      {turns.map((turn, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns are only added and cut at the end
        <TurnView key={index} turn={turn} index={index} onCut={remove} />
      ))}
      {isRunning && (
        <TurnView
          turn={{
            role: 'assistant',
            text: run?.answer.text ?? '',
            ...(run !== undefined && run.answer.calls.length > 0 && { calls: run.answer.calls }),
          }}
          index={-1}
          thinking={run?.answer.thinking}
          isRunning
        />
      )}
      {!isRunning && missing.length > 0 && (
        <ToolResults
          key={turns.length}
          calls={missing}
          onDone={(results) => onResult([...turns, ...results])}
        />
      )}
      <div ref={end} />
    </div>
  );
}

const SPEAKERS = { user: 'You', assistant: 'Model', tool: 'Tool' } as const;

const TurnView = memo(function TurnView({
  turn,
  index,
  thinking = '',
  isRunning = false,
  onCut,
}: {
  turn: Turn;
  index: number;
  thinking?: string | undefined;
  isRunning?: boolean;
  onCut?: (index: number) => void;
}) {
  return (
    <article className="in-view-only group border-b border-line py-3 last-of-type:border-b-0">
      <div className="mb-1 flex h-6 items-center gap-2 text-xs font-medium text-muted">
        {SPEAKERS[turn.role]}
        {turn.role === 'tool' && <span className="font-mono">{turn.call}</span>}
        <span className="ml-auto flex opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
          {turn.text !== '' && <CopyButton compact text={turn.text} />}
          {onCut !== undefined && (
            <IconButton size="small" icon="trash" label="Remove from here on" onClick={() => onCut(index)} />
          )}
        </span>
      </div>
      {thinking !== '' && (
        <p className="mb-2 border-l-2 border-line pl-3 text-sm whitespace-pre-wrap text-muted">{thinking}</p>
      )}
      <div
        className={`text-base whitespace-pre-wrap wrap-anywhere ${turn.role === 'tool' ? 'font-mono text-xs' : ''}`}
      >
        {turn.text}
        {isRunning && (
          <span
            aria-hidden="true"
            className="ml-0.5 inline-block h-4 w-1.5 translate-y-0.5 animate-pulse rounded-[1px] bg-accent"
          />
        )}
      </div>
      {turn.role === 'assistant' &&
        turn.calls?.map((call) => (
          <div key={call.id} className="mt-2 rounded-md border border-line bg-sunken px-3 py-2 text-xs">
            <span className="inline-flex items-center gap-1.5 font-medium">
              <Icon name="terminal" size={13} /> {call.name}
            </span>
            <pre className="mt-1 font-mono whitespace-pre-wrap wrap-anywhere">
              <JsonText text={call.arguments} />
            </pre>
          </div>
        ))}
    </article>
  );
});

/** The model waits for what its tools say. */
function ToolResults({
  calls,
  onDone,
}: {
  calls: readonly { id: string; name: string }[];
  onDone: (results: readonly Turn[]) => void;
}) {
  const [results, setResults] = useState<Readonly<Record<string, string>>>({});
  return (
    <form
      className="my-3 flex flex-col gap-3 rounded-md border border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        onDone(calls.map(({ id }) => ({ role: 'tool', call: id, text: results[id] ?? '' })));
      }}
    >
      {calls.map(({ id, name }) => (
        <TextArea
          key={id}
          code
          rows={2}
          label={`Result of ${name}`}
          value={results[id] ?? ''}
          onText={(value) => setResults((before) => ({ ...before, [id]: value }))}
          placeholder='{"temperature": 21}'
        />
      ))}
      <Button type="submit" look="primary" size="small" className="self-end">
        Send results
      </Button>
    </form>
  );
}

interface ComposerProps {
  readonly draft: string;
  readonly onDraft: (text: string) => void;
  readonly isRunning: boolean;
  readonly canSend: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
  readonly onClear: () => void;
}

function Composer({ draft, onDraft, isRunning, canSend, onSend, onStop, onClear }: ComposerProps) {
  return (
    <form
      className="flex items-end gap-2 border-t border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend && !isRunning) onSend();
      }}
    >
      <IconButton label="Begin anew" icon="trash" size="large" onClick={onClear} />
      <TextArea
        label="Message"
        labelHidden
        rows={Math.min(8, Math.max(1, draft.split('\n').length))}
        className="flex-1"
        fieldClass="!py-2"
        placeholder="Message"
        title="Enter sends, Shift Enter is a new line"
        value={draft}
        onText={onDraft}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (canSend && !isRunning) onSend();
        }}
      />
      {isRunning ? (
        <Button size="large" icon="stop" onClick={onStop}>
          Stop
        </Button>
      ) : (
        <Button size="large" type="submit" look="primary" icon="send" disabled={!canSend}>
          Send
        </Button>
      )}
    </form>
  );
}

const LEAST_WRITING_MS = 100;

/** How the last answer went. */
function RunNumbers({ run }: { run: Run }) {
  const { inputTokens, outputTokens, finish } = run.answer;
  const writingMs = run.firstTokenMs === null ? 0 : run.durationMs - run.firstTokenMs;
  // A few words that came in one piece say nothing of the pace.
  const rate = outputTokens && writingMs > LEAST_WRITING_MS ? (1000 * outputTokens) / writingMs : null;
  const numbers: readonly (readonly [string, string])[] = [
    ['Tokens read', inputTokens === null ? '–' : formatNumber(inputTokens)],
    ['Tokens written', outputTokens === null ? '–' : formatNumber(outputTokens)],
    ['First token', run.firstTokenMs === null ? '–' : formatDuration(run.firstTokenMs)],
    ['Duration', formatDuration(run.durationMs)],
    ['Tokens a second', rate === null ? '–' : formatNumber(Math.round(rate))],
  ];
  return (
    <dl className="flex flex-wrap items-baseline gap-x-5 gap-y-1 border-t border-line px-4 py-2 text-xs">
      {numbers.map(([name, value]) => (
        <div key={name} className="flex items-baseline gap-1.5">
          <dt className="text-muted">{name}</dt>
          <dd className="tabular font-semibold">{value}</dd>
        </div>
      ))}
      {finish !== null && (
        <div className="ml-auto">
          <dt className="sr-only">Ended by</dt>
          <dd>
            <Badge>{finish}</Badge>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** The request of the last answer and every event of it. */
function RunDetails({ run, wire, form }: { run: Run | undefined; wire: WireName; form: () => ChatForm }) {
  const [tab, setTab] = useState<'events' | 'request'>('events');
  if (run === undefined) return null;
  return (
    <Card flush>
      <Tabs
        label="What was sent and received"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'events', label: 'Raw events', count: run.events.length, content: <Events run={run} /> },
          {
            value: 'request',
            label: 'Request',
            content: <CodeBlock language="json" text={prettyJson(WIRES[wire].request(form()))} />,
          },
        ]}
      />
    </Card>
  );
}

const MOST_EVENTS = 400;

function Events({ run }: { run: Run }) {
  const shown = run.events.slice(-MOST_EVENTS);
  return (
    <section className="max-h-80 overflow-auto font-mono text-xs" tabIndex={0} aria-label="Events">
      {shown.length < run.events.length && (
        <p className="pb-2 font-sans text-muted">
          The last {MOST_EVENTS} of {formatNumber(run.events.length)}.
        </p>
      )}
      <ol>
        {shown.map(({ number: at, event, data, afterMs }) => (
          <li key={at} className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-2 py-0.5">
            <span className="tabular text-right text-faint">{Math.round(afterMs)} ms</span>
            <span className="wrap-anywhere">
              {event !== 'message' && <span className="text-accent-strong">{event} </span>}
              {data}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
