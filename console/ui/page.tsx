import { type ReactNode, useEffect } from 'react';

/** A page: its title, what can be done on it, and its content. */
export function Page({
  title,
  lead,
  actions,
  children,
  wide = false,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  wide?: boolean;
}) {
  useEffect(() => {
    document.title = `${title} · Stackgate`;
  }, [title]);
  return (
    <div
      className={`mx-auto flex w-full flex-col gap-5 px-4 py-5 sm:px-6 sm:py-6 ${wide ? 'max-w-[1720px]' : 'max-w-6xl'}`}
    >
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {lead !== undefined && <p className="mt-0.5 text-sm text-muted">{lead}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a page on a surface of its own. */
export function Card({
  title,
  note,
  actions,
  children,
  flush = false,
  className = '',
}: {
  title?: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  flush?: boolean;
  className?: string;
}) {
  return (
    <section className={`min-w-0 rounded-lg border border-line bg-surface ${className}`}>
      {title !== undefined && (
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-4 py-2">
          <h2 className="text-sm font-semibold">{title}</h2>
          {note !== undefined && <span className="text-xs text-muted">{note}</span>}
          {actions !== undefined && (
            <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>
          )}
        </div>
      )}
      <div className={flush ? '' : 'p-4'}>{children}</div>
    </section>
  );
}

/** One number with its name, and what it means beside others. */
export function Stat({
  name,
  value,
  note,
  tone = 'plain',
}: {
  name: string;
  value: ReactNode;
  note?: ReactNode;
  tone?: 'plain' | 'bad';
}) {
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface px-4 py-3">
      <dt className="text-xs font-medium text-muted">{name}</dt>
      <dd
        className={`tabular mt-1 text-2xl font-semibold tracking-tight ${tone === 'bad' ? 'text-bad' : ''}`}
      >
        {value}
      </dd>
      {note !== undefined && <dd className="tabular text-xs text-muted">{note}</dd>}
    </div>
  );
}
