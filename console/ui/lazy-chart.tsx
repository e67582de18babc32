import { type ComponentProps, lazy, Suspense } from 'react';

const Chart = lazy(() => import('./chart.tsx').then((module) => ({ default: module.Chart })));

/** A chart that comes when it is needed: its library is a tenth of all code. */
export function LazyChart(props: ComponentProps<typeof Chart>) {
  const height = props.height ?? 200;
  return (
    <Suspense fallback={<div className="animate-pulse rounded-md bg-sunken" style={{ height }} />}>
      <Chart {...props} />
    </Suspense>
  );
}
