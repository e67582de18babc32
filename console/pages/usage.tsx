import { useMemo } from 'react';
import { API, query } from '../api/client.ts';
import { useUsage } from '../api/resources.ts';
import { useSession } from '../api/session.ts';
import type { Sums, Usage, UsageGroup } from '../api/types.ts';
import { choice, text } from '../state/url-state.ts';
import { useUrlState } from '../state/use-url-state.ts';
import { buttonClass } from '../ui/button.tsx';
import { Segments } from '../ui/choice.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { TextField } from '../ui/field.tsx';
import { fieldsOf } from '../ui/form.ts';
import { capitalised, formatDuration, formatNumber, formatShare, formatShort } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { LazyChart } from '../ui/lazy-chart.tsx';
import { Empty, Loading, Problem } from '../ui/notes.tsx';
import { Card, Page, Stat } from '../ui/page.tsx';
import { StackPicker } from './stack-picker.tsx';
import { daysBetween, lastDays } from './usage-days.ts';
import { failures, type Metric, seriesOf } from './usage-series.ts';

const GROUPS = ['stack', 'key', 'endpoint', 'model'] as const;
const METRICS = ['requests', 'tokens', 'images', 'pages'] as const;
/** More are in the CSV. */
const MOST_ROWS = 200;
type Group = (typeof GROUPS)[number];

const SHAPE = {
  stack: text(),
  key: text(),
  days: choice(['7', '30', '90', 'other'], '30'),
  since: text(),
  until: text(),
  group: choice(GROUPS, 'model'),
  show: choice(METRICS, 'requests'),
};

/** Who used what: sums that the database makes, by day and by one more thing. */
export function UsagePage() {
  const [state, change] = useUrlState(SHAPE);
  const fields = fieldsOf(state, change);
  const { role } = useSession();
  const span = useMemo(
    () =>
      state.days === 'other' && state.since !== '' && state.until !== ''
        ? { since: state.since, until: state.until }
        : lastDays(Number(state.days) || 30, new Date()),
    [state.days, state.since, state.until],
  );
  const asked = { ...span, stack: state.stack, key: state.key };
  // A key is known by its stack: other stacks may have one of the same id.
  const group = state.group === 'key' ? 'stack,key' : state.group;
  const usage = useUsage({ ...asked, group_by: group, limit: MOST_ROWS, days: 'true' });
  return (
    <Page
      title="Usage"
      lead="Days are UTC. What ended in the last seconds may be missing."
      actions={
        <>
          {role !== 'member' && (
            <StackPicker anyStack value={state.stack} onChange={(stack) => change({ stack, key: '' })} />
          )}
          <Segments
            label="Days"
            value={state.days}
            onChange={(days) => change(days === 'other' ? { days, ...span } : { days })}
            options={[
              { value: '7', label: '7 days' },
              { value: '30', label: '30 days' },
              { value: '90', label: '90 days' },
              { value: 'other', label: 'Other' },
            ]}
          />
          <a
            className={buttonClass({})}
            href={`${API}/usage${query({ ...asked, group_by: `day,${group}`, format: 'csv' })}`}
            download={`usage-${span.since}-${span.until}.csv`}
          >
            <Icon name="download" size={15} /> CSV
          </a>
        </>
      }
    >
      {state.days === 'other' && (
        <div className="flex flex-wrap gap-3">
          <TextField label="First day" type="date" max={state.until} {...fields.text('since')} />
          <TextField label="Last day" type="date" min={state.since} {...fields.text('until')} />
        </div>
      )}
      {state.key !== '' && (
        <p className="text-sm text-muted">
          Only key <span className="font-medium text-ink">{state.key}</span>.{' '}
          <button
            type="button"
            className="rounded-sm text-accent-strong underline underline-offset-3"
            onClick={() => change({ key: '' })}
          >
            Show all keys
          </button>
        </p>
      )}
      {usage.isError && <Problem error={usage.error} retry={() => void usage.refetch()} />}
      {usage.data === undefined && !usage.isError && <Loading rows={8} />}
      {usage.data !== undefined && (
        <>
          <Totals sums={usage.data.totals} />
          <Card
            title="By day"
            actions={
              <Segments
                label="Show"
                options={METRICS.map((value) => ({ value, label: capitalised(value) }))}
                {...fields.choice('show')}
              />
            }
          >
            <DayChart usage={usage.data} span={span} metric={state.show} />
          </Card>
          <Card
            flush
            title={`By ${state.group}`}
            note={usage.data.truncated && shownPart(usage.data)}
            actions={
              <Segments
                label="Group by"
                options={GROUPS.filter((group) => role !== 'member' || group !== 'stack').map((value) => ({
                  value,
                  label: capitalised(value),
                }))}
                {...fields.choice('group')}
              />
            }
          >
            <Groups usage={usage.data} group={state.group} />
          </Card>
        </>
      )}
    </Page>
  );
}

function shownPart({ data, groups, totals }: Usage): string {
  const requests = data.reduce((sum, row) => sum + row.requests, 0);
  const share = formatShare(requests, totals.requests);
  return `The ${formatNumber(data.length)} with the most requests, of ${formatNumber(groups)}: ${share} of all requests`;
}

function Totals({ sums }: { sums: Sums }) {
  return (
    <dl className="grid grid-cols-2 gap-3 max-lg:*:last:col-span-2 lg:grid-cols-5">
      <Stat
        name="Requests"
        value={formatShort(sums.requests)}
        note={sums.requests > 0 ? `${formatShare(failures(sums.errors), sums.requests)} errors` : undefined}
      />
      <Stat name="Tokens read" value={formatShort(sums.prompt_tokens)} />
      <Stat name="Tokens written" value={formatShort(sums.completion_tokens)} />
      <Stat
        name="Images"
        value={formatShort(sums.images)}
        note={sums.cost ? `cost of all: ${formatNumber(sums.cost)}` : undefined}
      />
      <Stat
        name="Pages"
        value={formatShort(sums.pages)}
        note={`read; ${formatShort(sums.pdf_pages)} printed`}
      />
    </dl>
  );
}

function DayChart({
  usage,
  span,
  metric,
}: {
  usage: Usage;
  span: { since: string; until: string };
  metric: Metric;
}) {
  const days = useMemo(() => daysBetween(span.since, span.until), [span]);
  const series = useMemo(() => {
    const byDay = new Map((usage.days ?? []).map((sums) => [sums.day, sums]));
    return seriesOf(
      days.map((day) => byDay.get(day)),
      metric,
    );
  }, [usage, days, metric]);
  if (usage.totals.requests === 0) {
    return (
      <Empty icon="usage" title="Nothing was used in these days">
        Choose other days or another stack.
      </Empty>
    );
  }
  return <LazyChart label={`${metric} by day`} days={days} series={series} height={240} />;
}

function Groups({ usage, group }: { usage: Usage; group: Group }) {
  const columns = useMemo(() => groupColumns(group, usage.totals), [group, usage.totals]);
  if (usage.data.length === 0) return <Empty icon="usage" title="Nothing to show" />;
  return (
    <DataTable
      label={`Usage by ${group}`}
      columns={columns}
      rows={usage.data}
      rowId={(row) => nameOf(row, group)}
      initialSort={[{ id: 'requests', desc: true }]}
    />
  );
}

function nameOf(row: UsageGroup, group: Group): string {
  return group === 'key' ? `${row.stack}/${row.key}` : (row[group] ?? '');
}

function groupColumns(group: Group, totals: Sums): readonly Column<UsageGroup>[] {
  const numbers = (
    id: string,
    header: string,
    of: (row: UsageGroup) => number,
    from?: Column<UsageGroup>['from'],
  ): Column<UsageGroup> => ({
    id,
    header,
    right: true,
    sortBy: of,
    cell: (row) => (of(row) === 0 ? <span className="text-faint">0</span> : formatNumber(of(row))),
    ...(from !== undefined && { from }),
  });
  return [
    {
      id: 'name',
      header: capitalised(group),
      sortBy: (row) => nameOf(row, group),
      cell: (row) => (
        <span className="block min-w-28">
          <span className={`wrap-anywhere ${row[group] ? 'font-medium' : 'text-faint'}`}>
            {nameOf(row, group) || `no ${group}`}
          </span>
          <span
            aria-hidden="true"
            className="mt-1 block h-1 rounded-full bg-bar"
            style={{ width: `${Math.max(1, (100 * row.requests) / Math.max(1, totals.requests))}%` }}
          />
        </span>
      ),
    },
    numbers('requests', 'Requests', (row) => row.requests),
    { ...numbers('errors', 'Errors', (row) => failures(row.errors)), from: 'sm' },
    numbers('read', 'Tokens read', (row) => row.prompt_tokens, 'md'),
    numbers('written', 'Tokens written', (row) => row.completion_tokens, 'md'),
    numbers('images', 'Images', (row) => row.images, 'lg'),
    numbers('pages', 'Pages', (row) => row.pages + row.pdf_pages, 'lg'),
    ...(totals.cost ? [numbers('cost', 'Cost', (row) => row.cost ?? 0, 'lg')] : []),
    {
      id: 'mean',
      header: 'Mean time',
      right: true,
      from: 'sm',
      sortBy: (row) => row.latency_ms?.mean ?? 0,
      cell: (row) => (row.latency_ms === undefined ? '–' : formatDuration(row.latency_ms.mean)),
    },
  ];
}
