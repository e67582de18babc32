import { useEffect, useRef, useState } from 'react';
import { type Run, runChat, type WireName } from './run-chat.ts';
import type { ChatAnswer, ChatForm, Turn } from './turn.ts';

interface Order {
  readonly wire: WireName;
  readonly stack: string;
  readonly form: ChatForm;
}

/** One answer at a time: how it goes, and a way to stop it. */
export function useChat() {
  const [run, setRun] = useState<Run>();
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const stopper = useRef<AbortController>(undefined);
  useEffect(() => () => stopper.current?.abort(), []);
  const send = async (order: Order): Promise<Turn | undefined> => {
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

function turnOf({ text, calls, sources }: ChatAnswer): Turn | undefined {
  if (text === '' && calls.length === 0) return undefined;
  return { role: 'assistant', text, ...(calls.length > 0 && { calls }), ...(sources?.length && { sources }) };
}
