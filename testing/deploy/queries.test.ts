import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { Metrics } from '../../src/telemetry/metrics.ts';

/** Labels that Prometheus itself adds. */
const ADDED_LABELS = ['instance', 'job'];
const METRIC = /\b(?:stackgate|nodejs|process)_[a-z0-9_]+\b/g;
const SELECTOR = /\b((?:stackgate|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g;
const GROUPING = /\bby \(([^)]*)\)/g;

const rulesSchema = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});
const dashboardSchema = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
});

const read = (path: string) => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');
const rules = rulesSchema
  .parse(parse(read('prometheus/rules.yaml')))
  .groups.flatMap((group) => group.rules.map(({ alert, expr }) => [alert, expr] as const));
const panels = dashboardSchema
  .parse(JSON.parse(read('grafana/dashboard.json')))
  .panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));

/** The labels of every sample that `/metrics` prints, once everything has happened. */
async function printedLabels(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const metrics = new Metrics({
    engineStates: () => [['text:gpu', 'degraded']],
    queueDepths: () => [['images', 1]],
    logLinesDropped: () => 1,
    spansDropped: () => 1,
  });
  const route = metrics.forRoute('/v1/models', 'models');
  route.started();
  for (const status of [200, 404, 503]) route.ended(status, 0.1);
  metrics.usage.tokensUsed(1, 1);
  metrics.usage.batchFailed();
  metrics.limits.driftMeasured(1);
  metrics.databaseUsed();
  metrics.pdf.documentEnded('ok');
  const labels = new Map<string, Set<string>>();
  for (const line of (await metrics.render()).split('\n')) {
    const [, name, written = ''] = /^([a-z0-9_]+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (name === undefined) continue;
    const names = Array.from(written.matchAll(/(\w+)="/g), ([, label = '']) => label);
    labels.set(name, new Set([...(labels.get(name) ?? []), ...names]));
  }
  return labels;
}

describe.each([
  ['an alert', rules],
  ['a panel of the dashboard', panels],
])('the query of %s', async (_, queries) => {
  const printed = await printedLabels();

  it.each(queries)('names metrics and labels that there are: %s', (_name, query) => {
    const metrics = query.match(METRIC) ?? [];
    expect(metrics.length).toBeGreaterThan(0);
    expect(metrics.filter((metric) => !printed.has(metric))).toEqual([]);
    for (const [, metric = '', selector = ''] of query.matchAll(SELECTOR)) {
      const used = Array.from(selector.matchAll(/(\w+)\s*[=!]/g), ([, label = '']) => label);
      expect(used.filter((label) => !printed.get(metric)?.has(label))).toEqual([]);
    }
    const known = new Set([
      ...ADDED_LABELS,
      ...metrics.flatMap((metric) => [...(printed.get(metric) ?? [])]),
    ]);
    const grouped = Array.from(query.matchAll(GROUPING), ([, list = '']) => list.split(', ')).flat();
    expect(grouped.filter((label) => !known.has(label))).toEqual([]);
  });
});
