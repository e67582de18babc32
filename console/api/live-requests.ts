import { useEffect, useRef, useState } from 'react';
import { ask, askJson, query } from './client.ts';
import { readEvents } from './sse.ts';
import type { LiveRequest } from './types.ts';

const MOST_ROWS = 1000;
const FIRST_ROWS = 200;
const AGAIN_AFTER_MS = 2000;
/** Many requests a second are shown together. */
const SHOWN_EVERY_MS = 200;

export interface Live {
  readonly replica: string;
  /** The newest first. */
  readonly rows: readonly LiveRequest[];
  readonly state: 'connecting' | 'live' | 'away';
  readonly error?: unknown;
}

/** The requests of this process as they end, by one stream; after a cut it goes on where it was. */
export function useLiveRequests(stack: string, isPaused: boolean): Live {
  const [live, setLive] = useState<Live>({ replica: '', rows: [], state: 'connecting' });
  const paused = useRef(isPaused);
  paused.current = isPaused;
  useEffect(() => {
    const stop = new AbortController();
    let waiting: LiveRequest[] = [];
    const show = () => {
      if (waiting.length === 0 || paused.current) return;
      const fresh = waiting.reverse();
      waiting = [];
      setLive((before) => ({ ...before, rows: [...fresh, ...before.rows].slice(0, MOST_ROWS) }));
    };
    const timer = setInterval(show, SHOWN_EVERY_MS);
    void follow({
      stack,
      signal: stop.signal,
      onFirst: (first) => setLive(first),
      onState: (state, error) => setLive((before) => ({ ...before, state, error })),
      onRow: (row) => {
        waiting.push(row);
        if (waiting.length > MOST_ROWS) waiting.shift();
      },
    });
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [stack]);
  return live;
}

interface Following {
  readonly stack: string;
  readonly signal: AbortSignal;
  readonly onFirst: (live: Live) => void;
  readonly onState: (state: Live['state'], error?: unknown) => void;
  readonly onRow: (row: LiveRequest) => void;
}

async function follow({ stack, signal, onFirst, onState, onRow }: Following): Promise<void> {
  let last: string | undefined;
  while (!signal.aborted) {
    try {
      if (last === undefined) {
        const first = await askJson<{ replica: string; data: readonly LiveRequest[] }>(
          `/requests${query({ stack, limit: FIRST_ROWS })}`,
          { signal },
        );
        const rows = first.data.toSorted((one, other) => other.sequence - one.sequence);
        last = String(rows[0]?.sequence ?? 0);
        onFirst({ replica: first.replica, rows, state: 'connecting' });
      }
      const stream = await ask(`/requests${query({ stack })}`, {
        accept: 'text/event-stream',
        lastEventId: last,
        signal,
      });
      onState('live');
      if (stream.body === null) return;
      for await (const { event, data, id } of readEvents(stream.body)) {
        if (event !== 'request') continue;
        last = id ?? last;
        onRow(JSON.parse(data) as LiveRequest);
      }
      // The gateway ends a stream after a minute; the next one goes on where this one was.
    } catch (error) {
      if (signal.aborted) return;
      onState('away', error);
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
  }
}
