/** One series of a metric. */
export interface MetricPoint {
  readonly labels: Readonly<Record<string, string>>;
  /** Of a counter or gauge. */
  readonly value: number;
  /** Of a histogram: how many values are in each bucket, the last without a bound. */
  readonly buckets: readonly { readonly bound: number; readonly count: number }[];
  readonly count: number;
  readonly sum: number;
}

/** A metric with all of its series. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly points: readonly MetricPoint[];
}

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Reads the metrics as `/metrics` prints them. */
export function readMetricFamilies(text: string): readonly MetricFamily[] {
  const families: MetricFamily[] = [];
  let help = '';
  let current: { readonly name: string; readonly type: string; readonly samples: Sample[] } | undefined;
  const close = () => {
    const family = current === undefined ? undefined : familyOf({ ...current, help });
    if (family !== undefined && family.points.length > 0) families.push(family);
    current = undefined;
  };
  let nextHelp = '';
  for (const line of text.split('\n')) {
    if (line.startsWith('# HELP ')) nextHelp = line.slice(line.indexOf(' ', 7) + 1);
    else if (line.startsWith('# TYPE ')) {
      close();
      const [, , name = '', type = ''] = line.split(' ');
      help = nextHelp;
      current = { name, type, samples: [] };
    } else if (line !== '' && !line.startsWith('#')) {
      const sample = sampleOf(line);
      if (sample !== undefined) current?.samples.push(sample);
    }
  }
  close();
  return families;
}

function sampleOf(line: string): Sample | undefined {
  const [, name, labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (name === undefined) return undefined;
  const pairs = Array.from(labels.matchAll(LABEL), ([, label = '', written = '']) => [
    label,
    unescaped(written),
  ]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value.replace('Inf', 'Infinity')) };
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}

function familyOf({
  name,
  help,
  type,
  samples,
}: {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}): MetricFamily | undefined {
  if (type === 'histogram') return { name, help, type, points: histogramPoints(name, samples) };
  if (type !== 'counter' && type !== 'gauge') return undefined;
  const points = samples
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels, value }) => ({ labels, value, buckets: [], count: 0, sum: 0 }));
  return { name, help, type, points };
}

/** Buckets are cumulative in the text, and are not in a point. */
function histogramPoints(name: string, samples: readonly Sample[]): readonly MetricPoint[] {
  const series = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le: _le, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  return Array.from(series, ([key, all]) => {
    const total = (suffix: string) => all.find((sample) => sample.name === `${name}${suffix}`)?.value ?? 0;
    const cumulative = all.filter((sample) => sample.name === `${name}_bucket`);
    const buckets = cumulative.map(({ labels, value }, index) => ({
      bound: Number((labels.le ?? '').replace('+Inf', 'Infinity')),
      count: Math.max(0, value - (cumulative[index - 1]?.value ?? 0)),
    }));
    return { labels: JSON.parse(key), value: 0, buckets, count: total('_count'), sum: total('_sum') };
  });
}
