import { useEffect, useMemo, useRef } from 'react';
import uPlot from 'uplot';
import { useIsDark } from '../state/theme.ts';
import { formatNumber, formatShort } from './format.ts';

export interface Series {
  readonly name: string;
  readonly values: readonly number[];
  readonly tone?: 'accent' | 'good' | 'warn' | 'bad' | 'muted';
}

interface ChartProps {
  readonly label: string;
  /** Days as dates: 2026-11-18. */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly height?: number;
  readonly look?: 'bars' | 'lines';
}

const TONES = ['accent', 'good', 'warn', 'bad', 'muted'] as const;
const BAR_WIDTH = 0.62;
const MOST_BAR_PX = 34;

/** A chart over days. Its numbers are also in the table beside it, so readers of the screen hear a summary only. */
export function Chart({ label, days, series, height = 200, look = 'bars' }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const isDark = useIsDark();
  const data = useMemo(
    () =>
      [
        days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000),
        ...stacked(series, look).map((values) => [...values]),
      ] as uPlot.AlignedData,
    [days, series, look],
  );
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    // A change of theme is a change of every colour on the canvas.
    const palette = coloursOf(element, isDark);
    const chart = new uPlot(
      options({ series, look, height, width: element.clientWidth, palette }),
      data,
      element,
    );
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [data, series, look, height, isDark]);
  const total = series
    .map(({ name, values }) => `${name}: ${formatNumber(values.reduce((sum, value) => sum + value, 0))}`)
    .join(', ');
  return (
    <figure className="min-w-0">
      <div
        ref={place}
        role="img"
        aria-label={`${label}, ${days.length} days. ${total}`}
        className="min-w-0"
        style={{ minHeight: height }}
      />
      {series.length > 1 && (
        <figcaption className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
          {series.map(({ name, tone = 'accent' }) => (
            <span key={name} className="inline-flex items-center gap-1.5">
              <span aria-hidden="true" className={`size-2 rounded-[2px] ${SWATCHES[tone]}`} />
              {name}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}

const SWATCHES = {
  accent: 'bg-bar',
  good: 'bg-bar-good',
  warn: 'bg-bar-warn',
  bad: 'bg-bar-bad',
  muted: 'bg-faint',
} as const;

/** Bars stand on one another: each series is drawn up to the sum of those below it, the highest first. */
function stacked(series: readonly Series[], look: 'bars' | 'lines'): readonly (readonly number[])[] {
  if (look === 'lines') return series.map(({ values }) => values);
  return series.map((_, index) =>
    (series[0]?.values ?? []).map((_value, day) =>
      series.slice(0, series.length - index).reduce((sum, { values }) => sum + (values[day] ?? 0), 0),
    ),
  );
}

type Palette = Readonly<Record<(typeof TONES)[number] | 'line' | 'text', string>>;

function coloursOf(element: HTMLElement, isDark: boolean): Palette {
  // light-dark() is resolved only where it is used, so each colour is asked of an element that has it.
  const probe = document.createElement('span');
  element.append(probe);
  const read = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const palette = {
    accent: read('bar'),
    good: read('bar-good'),
    warn: read('bar-warn'),
    bad: read('bar-bad'),
    muted: read('faint'),
    line: read('line'),
    text: isDark ? read('muted') : read('faint'),
  };
  probe.remove();
  return palette;
}

function options({
  series,
  look,
  height,
  width,
  palette,
}: {
  series: readonly Series[];
  look: 'bars' | 'lines';
  height: number;
  width: number;
  palette: Palette;
}): uPlot.Options {
  const font = '11px "Inter Variable", system-ui, sans-serif';
  const axis = { stroke: palette.text, font, ticks: { show: false }, border: { show: false } };
  const drawn = look === 'bars' ? [...series].reverse() : series;
  return {
    width: Math.max(width, 120),
    height,
    padding: [8, 4, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: look === 'lines' }, drag: { x: false, y: false } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    scales: {
      x: { range: (_chart, min, max) => [min - 43_200, max + 43_200] },
      y: { range: (_chart, _min, max) => [0, Math.max(max * 1.08, 1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 26,
        space: 64,
        values: (_chart, splits) => splits.map(dayName),
      },
      {
        ...axis,
        grid: { stroke: palette.line, width: 1 },
        size: 46,
        space: 36,
        values: (_chart, splits) =>
          splits.map((value) => (Number.isInteger(value) ? formatShort(value) : '')),
      },
    ],
    plugins: [tip(series)],
    series: [
      {},
      ...(drawn.map(({ name, tone = 'accent' }) => ({
        label: name,
        stroke: palette[tone],
        ...(look === 'bars'
          ? {
              fill: palette[tone],
              width: 0,
              paths: uPlot.paths.bars?.({ size: [BAR_WIDTH, MOST_BAR_PX], radius: 0.12 }),
              points: { show: false },
            }
          : { width: 1.75, points: { show: false } }),
      })) as uPlot.Series[]),
    ],
  };
}

function dayName(seconds: number): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(seconds * 1000),
  );
}

/** The value under the pointer, in words. */
function tip(series: readonly Series[]): uPlot.Plugin {
  let box: HTMLElement | undefined;
  return {
    hooks: {
      init: (chart) => {
        box = document.createElement('div');
        box.className =
          'popup pointer-events-none absolute top-0 left-0 z-10 hidden px-2.5 py-1.5 text-xs whitespace-nowrap tabular';
        chart.over.append(box);
      },
      setCursor: (chart) => {
        const { idx, left } = chart.cursor;
        if (box === undefined) return;
        if (idx === null || idx === undefined || left === undefined || left < 0) {
          box.classList.add('hidden');
          return;
        }
        const lines = [
          dayName(chart.data[0][idx] ?? 0),
          ...series.map(({ name, values }) => `${name}: ${formatNumber(values[idx] ?? 0)}`),
        ];
        box.replaceChildren(
          ...lines.map((line, index) => {
            const row = document.createElement('div');
            row.textContent = line;
            row.className = index === 0 ? 'text-muted' : 'font-medium';
            return row;
          }),
        );
        box.classList.remove('hidden');
        const room = chart.over.clientWidth - box.clientWidth - 8;
        box.style.transform = `translate(${Math.max(0, Math.min(left + 10, room))}px, 4px)`;
      },
    },
  };
}
