import { useMemo } from 'react';
import { useOverview } from '../api/resources.ts';
import { useSession } from '../api/session.ts';
import type { Engine, Errors, Overview } from '../api/types.ts';
import { choice, text } from '../state/url-state.ts';
import { useUrlState } from '../state/use-url-state.ts';
import { State, type Tone } from '../ui/badge.tsx';
import { Segments } from '../ui/choice.tsx';
import { Clipped } from '../ui/clipped.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { counted, formatNumber, formatShare, formatShort } from '../ui/format.ts';
import { LazyChart } from '../ui/lazy-chart.tsx';
import { Empty, Loading, Problem } from '../ui/notes.tsx';
import { Card, Page, Stat } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { StackPicker } from './stack-picker.tsx';

const SHAPE = { stack: text(), chart: choice(['requests', 'tokens'], 'requests') };

/** How the gateway is now, and how the last 30 days were. */
export function OverviewPage() {
  const [state, change] = useUrlState(SHAPE);
  const { role } = useSession();
  const overview = useOverview(state.stack);
  return (
    <Page
      title="Overview"
      lead={overview.data && <Lead overview={overview.data} />}
      actions={
        role !== 'member' && (
          <StackPicker anyStack value={state.stack} onChange={(stack) => change({ stack })} />
        )
      }
    >
      {overview.isError && <Problem error={overview.error} retry={() => void overview.refetch()} />}
      {overview.data === undefined ? (
        !overview.isError && <Loading rows={8} />
      ) : (
        <Content overview={overview.data} chart={state.chart} onChart={(chart) => change({ chart })} />
      )}
    </Page>
  );
}

function Lead({ overview }: { overview: Overview }) {
  return (
    <>
      Replica {overview.replica}, up since <Time at={overview.started_at} />
    </>
  );
}

/** All that went wrong on this side or for a limit; who left early is not an error. */
export function failures({ client, limit, server }: Errors): number {
  return client + limit + server;
}

type ChartKind = 'requests' | 'tokens';

function Content({
  overview,
  chart,
  onChart,
}: {
  overview: Overview;
  chart: ChartKind;
  onChart: (chart: ChartKind) => void;
}) {
  const { now, today, queues, engines, days } = overview;
  const failed = failures(today.errors);
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Stat
          name="In flight"
          value={now.in_flight === null ? '–' : formatNumber(now.in_flight)}
          note={`${counted(now.requests_per_minute, 'request')} a minute`}
        />
        <Stat
          name="Requests today"
          value={formatShort(today.requests)}
          note={<TokensNote tokens={today.prompt_tokens + today.completion_tokens} />}
        />
        <Stat
          name="Errors today"
          value={formatShort(failed)}
          tone={today.errors.server > 0 ? 'bad' : 'plain'}
          note={`${formatShare(failed, today.requests)} of requests, ${counted(today.errors.server, 'on this side', 'on this side')}`}
        />
        <Stat
          name="Tokens a minute"
          value={formatShort(now.tokens_per_minute)}
          note={`${counted(now.errors_per_minute, 'error')} a minute`}
        />
      </dl>
      <Card
        title="Last 30 days"
        actions={
          <Segments
            label="Show"
            value={chart}
            onChange={onChart}
            options={[
              { value: 'requests', label: 'Requests' },
              { value: 'tokens', label: 'Tokens' },
            ]}
          />
        }
      >
        <Days days={days} chart={chart} />
      </Card>
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Card title="Engines" note={counted(engines.length, 'engine')} flush>
          {engines.length === 0 ? (
            <Empty icon="stack" title="No engines are configured" />
          ) : (
            <DataTable
              label="Engines"
              columns={ENGINE_COLUMNS}
              rows={engines}
              rowId={({ capability, name }) => `${capability} ${name}`}
            />
          )}
        </Card>
        <Card title="Queues" flush>
          {queues.length === 0 ? (
            <Empty icon="check" title="Nothing waits" />
          ) : (
            <ul className="divide-y divide-line">
              {queues.map(({ name, waiting }) => (
                <li key={name} className="flex items-center justify-between px-4 py-2 text-sm">
                  {name}
                  <span className={`tabular ${waiting > 0 ? 'font-medium text-warn' : 'text-muted'}`}>
                    {waiting === 0 ? 'empty' : `${formatNumber(waiting)} waiting`}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
    </>
  );
}

function TokensNote({ tokens }: { tokens: number }) {
  return <>{formatShort(tokens)} tokens</>;
}

function Days({ days, chart }: { days: Overview['days']; chart: ChartKind }) {
  const names = useMemo(() => days.map(({ day }) => day), [days]);
  const series = useMemo(() => seriesOf(days, chart), [days, chart]);
  if (days.every(({ requests }) => requests === 0)) {
    return (
      <Empty icon="usage" title="Nothing was asked yet">
        Send a request with a key, or try one in the playground; it shows up here within seconds.
      </Empty>
    );
  }
  return (
    <LazyChart
      label={chart === 'requests' ? 'Requests by day' : 'Tokens by day'}
      days={names}
      series={series}
    />
  );
}

function seriesOf(days: Overview['days'], chart: ChartKind) {
  if (chart === 'tokens') {
    return [
      { name: 'Read', values: days.map((day) => day.prompt_tokens), tone: 'accent' as const },
      { name: 'Written', values: days.map((day) => day.completion_tokens), tone: 'good' as const },
    ];
  }
  return [
    {
      name: 'Answered',
      values: days.map((day) => day.requests - failures(day.errors)),
      tone: 'accent' as const,
    },
    {
      name: 'Refused',
      values: days.map((day) => day.errors.client + day.errors.limit),
      tone: 'warn' as const,
    },
    { name: 'Failed', values: days.map((day) => day.errors.server), tone: 'bad' as const },
  ];
}

const ENGINE_TONES: Readonly<Record<string, Tone>> = {
  ready: 'good',
  ok: 'good',
  starting: 'warn',
  waking: 'warn',
  paused: 'plain',
  idle: 'plain',
  degraded: 'warn',
  failed: 'bad',
  down: 'bad',
};

const ENGINE_COLUMNS: readonly Column<Engine>[] = [
  {
    id: 'name',
    header: 'Engine',
    cell: ({ name, kind }) => (
      <span className="block">
        <span className="font-medium">{name}</span>
        <span className="block text-xs text-muted">{kind}</span>
      </span>
    ),
    sortBy: ({ name }) => name,
  },
  {
    id: 'capability',
    header: 'For',
    cell: ({ capability }) => capability,
    sortBy: ({ capability }) => capability,
    from: 'sm',
  },
  {
    id: 'model',
    header: 'Model',
    cell: ({ model }) =>
      model ? <span className="wrap-anywhere">{model}</span> : <span className="text-faint">–</span>,
    from: 'md',
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ state, last_error }) => (
      <span className="block">
        <State tone={ENGINE_TONES[state] ?? 'plain'}>{state}</State>
        {last_error && (
          <span className="block text-xs text-bad">
            <Clipped text={last_error} title="Last error" most={60} />
          </span>
        )}
      </span>
    ),
    sortBy: ({ state }) => state,
  },
  {
    id: 'waiting',
    header: 'Waiting',
    cell: ({ waiting }) => formatNumber(waiting ?? 0),
    right: true,
    sortBy: ({ waiting }) => waiting ?? 0,
  },
];
