import { Fragment, useMemo, useState } from 'react';
import { type Live, useLiveRequests } from '../api/live-requests.ts';
import { useSession } from '../api/session.ts';
import type { LiveRequest } from '../api/types.ts';
import { choice, text } from '../state/url-state.ts';
import { useUrlState } from '../state/use-url-state.ts';
import { Badge, State } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Segments } from '../ui/choice.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { fieldsOf } from '../ui/form.ts';
import { counted, formatDuration, formatNumber } from '../ui/format.ts';
import { Empty, Loading, Problem } from '../ui/notes.tsx';
import { Card, Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Time } from '../ui/time.tsx';
import { BeginCaptureButton, Captures } from './captures.tsx';
import { StackPicker } from './stack-picker.tsx';

const SHAPE = { stack: text(), q: text(), status: choice(['all', 'errors'], 'all') };
const MOST_SHOWN = 300;
const STATUSES = [
  { value: 'all', label: 'All' },
  { value: 'errors', label: 'Errors' },
] as const;

/** The requests as they end: who, what, how long; never what was said. */
export function RequestsPage() {
  const [state, change] = useUrlState(SHAPE);
  const [isPaused, setPaused] = useState(false);
  const { role } = useSession();
  const live = useLiveRequests(state.stack, isPaused);
  const shown = useMemo(
    () => live.rows.filter((row) => isWanted(row, state)).slice(0, MOST_SHOWN),
    [live.rows, state],
  );
  return (
    <Page
      title="Requests"
      lead={
        <span className="inline-flex flex-wrap items-center gap-x-2">
          <State tone={live.state === 'live' ? 'good' : 'warn'}>
            {live.state === 'live' ? (isPaused ? 'paused' : 'live') : live.state}
          </State>
          {live.replica !== '' && (
            <span>Of replica {live.replica}. Who, what and how long; never what was said.</span>
          )}
        </span>
      }
      actions={
        <>
          <BeginCaptureButton stack={state.stack} />
          <Button icon={isPaused ? 'right' : 'pause'} onClick={() => setPaused(!isPaused)}>
            {isPaused ? 'Go on' : 'Pause'}
          </Button>
        </>
      }
    >
      <Captures />
      {live.error !== undefined && <Problem error={live.error} />}
      <Card
        flush
        title="Latest first"
        note={counted(shown.length, 'request')}
        actions={
          <>
            <SearchField label="Key, model, endpoint, id" value={state.q} onSearch={(q) => change({ q })} />
            {role !== 'member' && (
              <StackPicker anyStack value={state.stack} onChange={(stack) => change({ stack })} />
            )}
            <Segments label="Status" options={STATUSES} {...fieldsOf(state, change).choice('status')} />
          </>
        }
      >
        {live.state === 'connecting' && live.rows.length === 0 ? (
          <Loading />
        ) : shown.length === 0 ? (
          <NothingShown live={live} />
        ) : (
          <DataTable
            dense
            label="Requests"
            columns={COLUMNS}
            rows={shown}
            rowId={({ sequence }) => String(sequence)}
          />
        )}
      </Card>
    </Page>
  );
}

function NothingShown({ live }: { live: Live }) {
  if (live.rows.length > 0) return <Empty icon="requests" title="None of them fits" />;
  if (live.state === 'away')
    return (
      <Empty icon="requests" title="The gateway does not tell now">
        It is asked again every few seconds.
      </Empty>
    );
  return (
    <Empty icon="requests" title="Nothing was asked since the start">
      Requests appear here as they end. Prompts and answers are never recorded.
    </Empty>
  );
}

function isWanted(row: LiveRequest, { q, status }: { q: string; status: string }): boolean {
  if (status === 'errors' && row.status < 400 && row.error_code === null) return false;
  if (q === '') return true;
  const words =
    `${row.stack ?? ''}/${row.key ?? ''} ${row.model} ${row.endpoint} ${row.id} ${row.status} ${row.error_code}`.toLowerCase();
  return words.includes(q.toLowerCase());
}

const COLUMNS: readonly Column<LiveRequest>[] = [
  {
    id: 'at',
    header: 'Time',
    cell: ({ id, at }) => (
      <span title={id}>
        <Time at={at} form="clock" />
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => (
      <Badge tone={status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'plain'}>{status}</Badge>
    ),
  },
  {
    id: 'endpoint',
    header: 'Endpoint',
    cell: ({ endpoint, streamed, error_code }) => (
      <span className="flex flex-wrap items-baseline gap-x-2 text-xs">
        <Path path={endpoint} />
        {streamed && <span className="hidden text-faint sm:inline">streamed</span>}
        {error_code !== null && <span className="text-muted">{error_code}</span>}
      </span>
    ),
  },
  {
    id: 'key',
    header: 'Key',
    from: 'sm',
    cell: ({ stack, key }) => (
      <span className="block max-w-64 wrap-anywhere">
        {stack === null ? (
          <None />
        ) : (
          <>
            {stack}
            <span className="text-muted">/{key}</span>
          </>
        )}
      </span>
    ),
  },
  {
    id: 'model',
    header: 'Model',
    from: 'lg',
    cell: ({ model }) => <span className="whitespace-nowrap">{model || <None />}</span>,
  },
  {
    id: 'tokens',
    header: 'Tokens',
    right: true,
    from: 'md',
    cell: ({ input_tokens, output_tokens }) =>
      !input_tokens && !output_tokens ? (
        <None />
      ) : (
        <>
          {formatNumber(input_tokens ?? 0)} <span className="text-faint">→</span>{' '}
          {formatNumber(output_tokens ?? 0)}
        </>
      ),
  },
  {
    id: 'first',
    header: 'First token',
    right: true,
    from: 'lg',
    cell: ({ first_token_ms }) => (first_token_ms === null ? <None /> : formatDuration(first_token_ms)),
  },
  {
    id: 'duration',
    header: 'Duration',
    right: true,
    cell: ({ duration_ms }) => formatDuration(duration_ms),
  },
];

/** A path that is broken after its slashes where there is no room for it. */
function Path({ path }: { path: string }) {
  const parts = path.split(/(?<=\/)/);
  return (
    <span className="font-mono wrap-anywhere">
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path stay in their places
        <Fragment key={at}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </span>
  );
}

function None() {
  return <span className="text-faint">–</span>;
}
