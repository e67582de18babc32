import type { ReactNode } from 'react';

/** Names and values below each other. */
export function Facts({ rows, inset = false }: { rows: readonly Fact[]; inset?: boolean }) {
  return (
    <dl className="divide-y divide-line text-sm">
      {rows.map(([name, value]) => (
        <div
          key={name}
          className={`grid gap-3 ${inset ? 'grid-cols-[8.5rem_minmax(0,1fr)] px-4 py-2' : 'grid-cols-[5.5rem_minmax(0,1fr)] py-1.5'}`}
        >
          <dt className="text-muted">{name}</dt>
          <dd className="tabular min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export type Fact = readonly [name: string, value: ReactNode];
