import { useMemo } from 'react';
import { useOverview } from '../api/resources.ts';
import { useSession } from '../api/session.ts';
import type { Engine, Overview } from '../api/types.ts';
import { choice, text } from '../state/url-state.ts';
import { useUrlState } from '../state/use-url-state.ts';
import { State, type Tone } from '../ui/badge.tsx';
import { Segments } from '../ui/choice.tsx';
import { Clipped } from '../ui/clipped.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { capitalised, counted, formatNumber, formatShare, formatShort } from '../ui/format.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { LazyChart } from '../ui/lazy-chart.tsx';
import { Empty, Loading, Problem } from '../ui/notes.tsx';
import { Card, Page, Stat } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { StackPicker } from './stack-picker.tsx';
import { failures, seriesOf } from './usage-series.ts';

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

type ChartKind = 'requests' | 'tokens';
const CHARTS = [
  { value: 'requests', label: 'Requests' },
  { value: 'tokens', label: 'Tokens' },
] as const;

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
          note={`${formatShort(today.prompt_tokens + today.completion_tokens)} tokens`}
        />
        <Stat
          name="Errors today"
          value={formatShort(failed)}
          tone={today.errors.server > 0 ? 'bad' : 'plain'}
          note={
            today.requests === 0
              ? 'nothing was asked yet'
              : `${formatShare(failed, today.requests)} of requests; ${formatNumber(today.errors.server)} on this side`
          }
        />
        <Stat
          name="Tokens a minute"
          value={formatShort(now.tokens_per_minute)}
          note={`${counted(now.errors_per_minute, 'error')} a minute`}
        />
      </dl>
      <Card
        title="Last 30 days"
        actions={<Segments label="Show" value={chart} onChange={onChart} options={CHARTS} />}
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
              rows={inOrder(engines)}
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
                  {capitalised(name)}
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

function inOrder(engines: readonly Engine[]): readonly Engine[] {
  return engines.toSorted((one, other) => ORDER.indexOf(one.capability) - ORDER.indexOf(other.capability));
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

/** The kinds of engines, the most used first. */
const CAPABILITIES: Readonly<Record<string, readonly [name: string, icon: IconName]>> = {
  text: ['Text', 'chat'],
  image: ['Images', 'image'],
  embeddings: ['Embeddings', 'knowledge'],
  ocr: ['OCR', 'extract'],
  fields: ['Field finder', 'extract'],
  pdf: ['PDF', 'pdf'],
};
const ORDER = Object.keys(CAPABILITIES);

const ENGINE_COLUMNS: readonly Column<Engine>[] = [
  {
    id: 'name',
    header: 'Engine',
    cell: ({ name, kind, capability }) => {
      const [title, icon] = CAPABILITIES[capability] ?? [capability, 'stack'];
      return (
        <span className="flex items-center gap-3">
          <span className="grid size-8 shrink-0 place-items-center rounded-md bg-sunken text-muted">
            <Icon name={icon} />
          </span>
          <span className="min-w-0">
            <span className="block font-medium">{title}</span>
            <span className="block text-xs wrap-anywhere text-muted">
              {name === kind ? name : `${name}, ${kind}`}
            </span>
          </span>
        </span>
      );
    },
  },
  {
    id: 'model',
    header: 'Model',
    cell: ({ model }) =>
      model ? <span className="wrap-anywhere">{model}</span> : <span className="text-faint">–</span>,
    from: 'sm',
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
  },
  {
    id: 'waiting',
    header: 'Waiting',
    cell: ({ waiting }) =>
      waiting ? formatNumber(waiting) : <span className="text-faint">{waiting === 0 ? 0 : '–'}</span>,
    right: true,
  },
];
