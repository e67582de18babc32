import { type ReactNode, useEffect } from 'react';
import { Mark } from '../shell/brand.tsx';

/** A page before the log-in. */
export function DoorPage({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Stackgate`;
  }, [title]);
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-sm">
        <div className="mb-5 flex flex-col items-center gap-3 text-center">
          <Mark size={44} />
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          {lead !== undefined && <p className="text-sm text-muted">{lead}</p>}
        </div>
        <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-5">{children}</div>
        <p className="mt-4 text-center text-xs text-faint">Stackgate console</p>
      </div>
    </main>
  );
}
