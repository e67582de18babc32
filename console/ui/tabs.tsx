import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

export interface Tab<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly count?: number;
  readonly content: ReactNode;
}

/** Several views of one thing; only the chosen one is rendered. */
export function Tabs<T extends string>({
  label,
  tabs,
  value,
  onChange,
}: {
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  onChange: (value: T) => void;
}) {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as T)} className="flex min-w-0 flex-col">
      <Base.List aria-label={label} className="flex gap-4 overflow-x-auto border-b border-line px-4">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px border-b-2 border-transparent py-2.5 text-sm font-medium whitespace-nowrap text-muted hover:text-ink focus-visible:-outline-offset-2 data-active:border-accent data-active:text-ink"
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className="tabular ml-1.5 text-xs text-faint">{tab.count}</span>
            )}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="min-w-0 p-4 focus-visible:-outline-offset-2">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
