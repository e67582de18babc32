import type { Errors, Sums } from '../api/types.ts';
import type { Series } from '../ui/chart.tsx';

/** All that went wrong on this side or for a limit; who left early is not an error. */
export function failures({ client, limit, server }: Errors): number {
  return client + limit + server;
}

export type Metric = 'requests' | 'tokens' | 'images' | 'pages';

const SERIES: Readonly<
  Record<Metric, readonly (readonly [name: string, tone: Series['tone'], of: (sums: Sums) => number])[]>
> = {
  requests: [
    ['Answered', 'accent', (sums) => sums.requests - failures(sums.errors)],
    ['Refused', 'warn', ({ errors }) => errors.client + errors.limit],
    ['Failed', 'bad', ({ errors }) => errors.server],
  ],
  tokens: [
    ['Read', 'accent', (sums) => sums.prompt_tokens],
    ['Written', 'good', (sums) => sums.completion_tokens],
  ],
  images: [['Images', 'accent', (sums) => sums.images]],
  pages: [
    ['Read', 'accent', (sums) => sums.pages],
    ['Printed', 'good', (sums) => sums.pdf_pages],
  ],
};

/** The series of a chart; days without sums are empty. */
export function seriesOf(days: readonly (Sums | undefined)[], metric: Metric): readonly Series[] {
  return SERIES[metric].map(([name, tone, of]) => ({
    name,
    tone,
    values: days.map((sums) => (sums === undefined ? 0 : of(sums))),
  }));
}
