import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { CodeBlock } from '../../ui/code.tsx';
import { formatDuration, formatNumber } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { prettyJson } from '../pretty-json.ts';
import type { Run } from './run-chat.ts';

const LEAST_WRITING_MS = 100;

/** How the last answer went. */
export function RunNumbers({ run }: { run: Run }) {
  const { inputTokens, outputTokens, finish, sources } = run.answer;
  const writingMs = run.firstTokenMs === null ? 0 : run.durationMs - run.firstTokenMs;
  // A few words that came in one piece say nothing of the pace.
  const rate = outputTokens && writingMs > LEAST_WRITING_MS ? (1000 * outputTokens) / writingMs : null;
  const numbers: readonly (readonly [string, string])[] = [
    ['Tokens read', inputTokens === null ? '–' : formatNumber(inputTokens)],
    ['Tokens written', outputTokens === null ? '–' : formatNumber(outputTokens)],
    ['First token', run.firstTokenMs === null ? '–' : formatDuration(run.firstTokenMs)],
    ['Duration', formatDuration(run.durationMs)],
    ...(rate === null ? [] : [['Tokens a second', formatNumber(Math.round(rate))] as const]),
    ...(sources === null ? [] : [['Sources', formatNumber(sources.length)] as const]),
  ];
  return (
    <dl className="flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line px-4 py-2 text-xs">
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
export function RunDetails({ run, request }: { run: Run | undefined; request: () => unknown }) {
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
            content: <CodeBlock language="json" text={prettyJson(request())} />,
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
          <li key={at} className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-3 py-0.5">
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
