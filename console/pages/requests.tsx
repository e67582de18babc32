import { memo, useMemo, useState } from 'react';
import { useLiveRequests } from '../api/live-requests.ts';
import { useSession } from '../api/session.ts';
import type { LiveRequest } from '../api/types.ts';
import { choice, text } from '../state/url-state.ts';
import { useUrlState } from '../state/use-url-state.ts';
import { Badge, State } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Segments } from '../ui/choice.tsx';
import { counted, formatDuration, formatNumber } from '../ui/format.ts';
import { Empty, Loading, Problem } from '../ui/notes.tsx';
import { Card, Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Time } from '../ui/time.tsx';
import { Captures } from './captures.tsx';
import { StackPicker } from './stack-picker.tsx';

const SHAPE = { stack: text(), q: text(), status: choice(['all', 'errors'], 'all') };
const MOST_SHOWN = 300;

/** The requests as they end: who, what, how long; never what was said. */
export function RequestsPage() {
  const [state, change] = useUrlState(SHAPE);
  const [isPaused, setPaused] = useState(false);
  const { role } = useSession();
  const live = useLiveRequests(state.stack, isPaused);
  const shown = useMemo(() => live.rows.filter((row) => isWanted(row, state)), [live.rows, state]);
  return (
    <Page
      title="Requests"
      lead={
        <span className="inline-flex flex-wrap items-center gap-x-2">
          <State tone={live.state === 'live' ? 'good' : 'warn'}>
            {live.state === 'live' ? (isPaused ? 'paused' : 'live') : live.state}
          </State>
          {live.replica !== '' && `Of replica ${live.replica}; others tell of themselves.`}
        </span>
      }
      actions={
        <>
          <SearchField label="Key, model, endpoint, id" value={state.q} onSearch={(q) => change({ q })} />
          {role !== 'member' && (
            <StackPicker anyStack value={state.stack} onChange={(stack) => change({ stack })} />
          )}
          <Segments
            label="Status"
            value={state.status}
            onChange={(status) => change({ status })}
            options={[
              { value: 'all', label: 'All' },
              { value: 'errors', label: 'Errors' },
            ]}
          />
          <Button icon={isPaused ? 'right' : 'pause'} onClick={() => setPaused(!isPaused)}>
            {isPaused ? 'Go on' : 'Pause'}
          </Button>
        </>
      }
    >
      <Captures stack={state.stack} />
      {live.error !== undefined && <Problem error={live.error} />}
      <Card flush title="Latest first" note={counted(shown.length, 'request')}>
        {live.state === 'connecting' && live.rows.length === 0 ? (
          <Loading />
        ) : shown.length === 0 ? (
          <Empty
            icon="requests"
            title={live.rows.length === 0 ? 'Nothing was asked since the start' : 'None of them fits'}
          >
            {live.rows.length === 0 &&
              'Requests appear here as they end. Prompts and answers are never recorded.'}
          </Empty>
        ) : (
          <RequestTable rows={shown.slice(0, MOST_SHOWN)} />
        )}
      </Card>
    </Page>
  );
}

function isWanted(row: LiveRequest, { q, status }: { q: string; status: string }): boolean {
  if (status === 'errors' && row.status < 400 && row.error_code === null) return false;
  if (q === '') return true;
  const words =
    `${row.stack}/${row.key} ${row.model} ${row.endpoint} ${row.id} ${row.status} ${row.error_code}`.toLowerCase();
  return words.includes(q.toLowerCase());
}

const HEADS = [
  ['Time', ''],
  ['Status', ''],
  ['Endpoint', ''],
  ['Key', 'hidden sm:table-cell'],
  ['Model', 'hidden lg:table-cell'],
  ['Tokens', 'hidden text-right md:table-cell'],
  ['First token', 'hidden text-right lg:table-cell'],
  ['Duration', 'text-right'],
] as const;

function RequestTable({ rows }: { rows: readonly LiveRequest[] }) {
  return (
    <section
      className="relative overflow-x-auto focus-visible:-outline-offset-2"
      aria-label="Requests"
      tabIndex={0}
    >
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b border-line">
            {HEADS.map(([name, look]) => (
              <th
                key={name}
                scope="col"
                className={`px-3 py-2 text-left text-xs font-medium whitespace-nowrap text-muted first:pl-4 last:pr-4 ${look}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.sequence} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const Row = memo(function Row({ row }: { row: LiveRequest }) {
  const tokens =
    !row.input_tokens && !row.output_tokens
      ? '–'
      : `${formatNumber(row.input_tokens ?? 0)} → ${formatNumber(row.output_tokens ?? 0)}`;
  return (
    <tr className="border-b border-line last:border-b-0 hover:bg-hover">
      <td className="py-1.5 pr-3 pl-4">
        <span title={row.id}>
          <Time at={row.at} form="clock" />
        </span>
      </td>
      <td className="px-3 py-1.5">
        <span className="inline-flex flex-wrap items-center gap-1">
          <Badge tone={row.status >= 500 ? 'bad' : row.status >= 400 ? 'warn' : 'good'}>{row.status}</Badge>
          {row.error_code !== null && <span className="text-xs text-muted">{row.error_code}</span>}
        </span>
      </td>
      <td className="px-3 py-1.5 font-mono text-xs whitespace-nowrap">
        {row.endpoint}
        {row.streamed && <span className="ml-1.5 hidden font-sans text-faint sm:inline">streamed</span>}
      </td>
      <td className="hidden px-3 py-1.5 whitespace-nowrap sm:table-cell">
        {row.stack}
        <span className="text-muted">/{row.key}</span>
      </td>
      <td className="hidden px-3 py-1.5 whitespace-nowrap lg:table-cell">
        {row.model || <span className="text-faint">–</span>}
      </td>
      <td className="tabular hidden px-3 py-1.5 text-right whitespace-nowrap md:table-cell">{tokens}</td>
      <td className="tabular hidden px-3 py-1.5 text-right whitespace-nowrap lg:table-cell">
        {row.first_token_ms === null ? '–' : formatDuration(row.first_token_ms)}
      </td>
      <td className="tabular py-1.5 pr-4 pl-3 text-right whitespace-nowrap">
        {formatDuration(row.duration_ms)}
      </td>
    </tr>
  );
});
