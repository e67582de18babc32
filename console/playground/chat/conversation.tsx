import { memo, useCallback, useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { JsonText } from '../../ui/code.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Sources } from '../passage-view.tsx';
import type { Run } from './run-chat.ts';
import type { ToolCall, Turn } from './turn.ts';

const EXAMPLES = [
  'What can you help me with?',
  'Write a haiku about a gateway.',
  'Explain SSE in two sentences.',
];

interface ConversationProps {
  readonly turns: readonly Turn[];
  readonly run: Run | undefined;
  readonly isRunning: boolean;
  readonly onChange: (turns: readonly Turn[]) => void;
  readonly onResult: (turns: readonly Turn[]) => void;
  readonly onAsk: (text: string) => void;
}

/** The chat so far, and the answer as it comes. */
export function Conversation({ turns, run, isRunning, onChange, onResult, onAsk }: ConversationProps) {
  const end = useRef<HTMLDivElement>(null);
  const said = run?.answer.text.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls with every piece of the answer
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [turns.length, said]);
  const remove = useCallback((index: number) => onChange(turns.slice(0, index)), [onChange, turns]);
  if (turns.length === 0 && !isRunning) return <Beginning onAsk={onAsk} />;
  const last = turns.at(-1);
  const missing = last?.role === 'assistant' ? (last.calls ?? []) : [];
  return (
    <div
      className="min-h-0 flex-1 overflow-y-auto px-4 py-4 focus-visible:-outline-offset-2"
      role="log"
      aria-label="Conversation"
      tabIndex={0}
    >
      <div className="mx-auto flex max-w-3xl flex-col gap-5">
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
      </div>
      <div ref={end} />
    </div>
  );
}

function Beginning({ onAsk }: { onAsk: (text: string) => void }) {
  return (
    <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto">
      <Empty
        icon="chat"
        title="Ask something"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {EXAMPLES.map((example) => (
              <Button key={example} size="small" onClick={() => onAsk(example)}>
                {example}
              </Button>
            ))}
          </div>
        }
      >
        Streamed as a client gets it, with tokens, times and the raw events.
      </Empty>
    </div>
  );
}

const SPEAKERS = { user: 'You', assistant: 'Model', tool: 'Tool' } as const;
const LOOKS = {
  user: 'rounded-lg bg-accent-soft px-3.5 py-2.5',
  assistant: '',
  tool: 'rounded-lg border border-line bg-sunken px-3.5 py-2.5 font-mono text-xs',
} as const;

interface TurnViewProps {
  readonly turn: Turn;
  readonly index: number;
  readonly thinking?: string | undefined;
  readonly isRunning?: boolean;
  readonly onCut?: (index: number) => void;
}

const TurnView = memo(function TurnView({
  turn,
  index,
  thinking = '',
  isRunning = false,
  onCut,
}: TurnViewProps) {
  return (
    <article className="in-view-only group flex flex-col gap-1">
      <div className="flex h-6 items-center gap-2 text-xs font-medium text-muted">
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
        <p className="mb-1 border-l-2 border-line pl-3 text-sm whitespace-pre-wrap text-muted">{thinking}</p>
      )}
      {(turn.text !== '' || isRunning) && (
        <div className={`w-fit max-w-full text-base whitespace-pre-wrap wrap-anywhere ${LOOKS[turn.role]}`}>
          {turn.text}
          {isRunning && (
            <span
              aria-hidden="true"
              className="ml-0.5 inline-block h-4 w-1.5 translate-y-0.5 animate-pulse rounded-[1px] bg-accent"
            />
          )}
        </div>
      )}
      {turn.role === 'assistant' && turn.calls?.map((call) => <CallView key={call.id} call={call} />)}
      {turn.role === 'assistant' && turn.sources !== undefined && <Sources passages={turn.sources} />}
    </article>
  );
});

function CallView({ call: { name, arguments: given } }: { call: ToolCall }) {
  return (
    <div className="mt-1 rounded-lg border border-line bg-sunken px-3.5 py-2.5 text-xs">
      <span className="inline-flex items-center gap-1.5 font-medium">
        <Icon name="terminal" size={13} /> {name}
      </span>
      <pre className="mt-1 font-mono whitespace-pre-wrap wrap-anywhere">
        <JsonText text={given} />
      </pre>
    </div>
  );
}

interface ToolResultsProps {
  readonly calls: readonly ToolCall[];
  readonly onDone: (results: readonly Turn[]) => void;
}

/** The model waits for what its tools say. */
function ToolResults({ calls, onDone }: ToolResultsProps) {
  const [results, setResults] = useState<Readonly<Record<string, string>>>({});
  return (
    <form
      className="flex flex-col gap-3 rounded-lg border border-line p-3.5"
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
