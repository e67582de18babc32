import { useCallback } from 'react';
import { useModels } from '../../api/resources.ts';
import { useUrlState } from '../../state/use-url-state.ts';
import { Segments } from '../../ui/choice.tsx';
import { fieldsOf } from '../../ui/form.ts';
import { Problem } from '../../ui/notes.tsx';
import { PlaygroundPage } from '../playground-page.tsx';
import { prettyJson } from '../pretty-json.ts';
import { ChatSettings } from './chat-settings.tsx';
import { CHAT_STATE, formOf, jsonProblems, turnsWithDraft } from './chat-state.ts';
import { Composer } from './composer.tsx';
import { Conversation } from './conversation.tsx';
import { WIRES } from './run-chat.ts';
import { RunDetails, RunNumbers } from './run-view.tsx';
import type { Turn } from './turn.ts';
import { useChat } from './use-chat.ts';

const WIRE_OPTIONS = [
  { value: 'chat', label: 'Chat', note: '/v1/chat/completions' },
  { value: 'messages', label: 'Messages', note: '/v1/messages' },
  { value: 'responses', label: 'Responses', note: '/v1/responses' },
] as const;

/** A conversation with the model of a stack, over any of the three wires. */
export function ChatPage() {
  const [state, change] = useUrlState(CHAT_STATE);
  const models = useModels(state.stack);
  const model = state.model || (models.names[0] ?? '');
  const problems = jsonProblems(state);
  const chat = useChat();
  const wire = WIRES[state.wire];
  const withDraft = turnsWithDraft(state);
  // The same function each time, so that no message of a long conversation is rendered again while the next is typed.
  const setTurns = useCallback((turns: readonly Turn[]) => change({ turns }), [change]);
  const send = async (turns: readonly Turn[]) => {
    change({ turns, draft: '' });
    const form = formOf(state, model, turns);
    const answer = await chat.send({ wire: state.wire, stack: state.stack, form });
    if (answer !== undefined) change({ turns: [...turns, answer] });
  };
  const canSend =
    state.stack !== '' &&
    withDraft.length > 0 &&
    withDraft.at(-1)?.role !== 'assistant' &&
    problems.tools === undefined &&
    problems.schema === undefined;
  return (
    <PlaygroundPage
      title="Chat"
      lead="As a stack: with its prompt, its model and its limits."
      stack={state.stack}
      change={change}
      request={() => ({
        path: wire.path,
        body: prettyJson(wire.request(formOf(state, model, withDraft))),
        streams: state.stream,
      })}
      actions={<Segments label="Wire" options={WIRE_OPTIONS} {...fieldsOf(state, change).choice('wire')} />}
    >
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_320px]">
        <section
          aria-label="Chat"
          className="flex h-[calc(100dvh-9.5rem)] min-h-[28rem] flex-col rounded-lg border border-line bg-surface"
        >
          <Conversation
            turns={state.turns}
            run={chat.run}
            isRunning={chat.isRunning}
            onChange={setTurns}
            onResult={(turns) => void send(turns)}
            onAsk={(draft) => change({ draft })}
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
            canSend={canSend}
            canClear={withDraft.length > 0}
            onSend={() => void send(withDraft)}
            onStop={chat.stop}
            onClear={() => {
              chat.reset();
              change({ turns: [], draft: '' });
            }}
          />
        </section>
        <ChatSettings state={state} change={change} model={model} models={models} problems={problems} />
      </div>
      <RunDetails run={chat.run} request={() => wire.request(formOf(state, model, state.turns))} />
    </PlaygroundPage>
  );
}
