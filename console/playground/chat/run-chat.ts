import { ask, playground } from '../../api/client.ts';
import { readEvents, type ServerEvent } from '../../api/sse.ts';
import { chatWire } from './chat-wire.ts';
import { messagesWire } from './messages-wire.ts';
import { responsesWire } from './responses-wire.ts';
import { type ChatAnswer, type ChatForm, NO_ANSWER, type Wire } from './turn.ts';

export const WIRES = {
  chat: chatWire,
  messages: messagesWire,
  responses: responsesWire,
} as const satisfies Readonly<Record<string, Wire>>;
export type WireName = keyof typeof WIRES;

/** An event as it came, and when. */
export interface RawEvent extends ServerEvent {
  readonly number: number;
  readonly afterMs: number;
}

/** How an answer went. */
export interface Run {
  readonly answer: ChatAnswer;
  readonly events: readonly RawEvent[];
  readonly firstTokenMs: number | null;
  readonly durationMs: number;
}

/** Sends the form and tells of the answer as it grows, at most once per frame. */
export async function runChat({
  wire,
  stack,
  form,
  signal,
  onRun,
}: {
  wire: WireName;
  stack: string;
  form: ChatForm;
  signal: AbortSignal;
  onRun: (run: Run) => void;
}): Promise<Run> {
  const { path, request, event: withEvent, whole } = WIRES[wire];
  const begun = performance.now();
  const afterMs = () => performance.now() - begun;
  const sent = await ask(playground(stack, path), { method: 'POST', json: request(form), signal });
  if (!form.stream || sent.body === null) {
    const text = await sent.text();
    const durationMs = afterMs();
    return {
      answer: whole(JSON.parse(text)),
      events: [{ event: 'answer', data: text, number: 1, afterMs: durationMs }],
      firstTokenMs: null,
      durationMs,
    };
  }
  const events: RawEvent[] = [];
  let answer = NO_ANSWER;
  let firstTokenMs: number | null = null;
  let frame = 0;
  const run = (): Run => ({ answer, events: [...events], firstTokenMs, durationMs: afterMs() });
  try {
    for await (const event of readEvents(sent.body)) {
      events.push({ ...event, number: events.length + 1, afterMs: afterMs() });
      if (event.data === '[DONE]') continue;
      answer = withEvent(answer, event.event, JSON.parse(event.data));
      if (firstTokenMs === null && (answer.text !== '' || answer.thinking !== '' || answer.calls.length > 0))
        firstTokenMs = afterMs();
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        onRun(run());
      });
    }
  } finally {
    cancelAnimationFrame(frame);
  }
  return run();
}
