import type { ReactNode } from 'react';
import { problemText } from '../api/api-error.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

/** In place of a list that has nothing in it: what would be here, and how it gets here. */
export function Empty({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-14 text-center">
      <span className="mb-1 grid size-11 place-items-center rounded-full bg-sunken text-muted">
        <Icon name={icon} size={20} />
      </span>
      <p className="font-medium">{title}</p>
      {children !== undefined && <p className="max-w-md text-sm text-balance text-muted">{children}</p>}
      {action !== undefined && <div className="mt-2">{action}</div>}
    </div>
  );
}

const NOTE_LOOKS = {
  bad: ['border-bad/35 bg-bad-soft text-bad', 'warning'],
  warn: ['border-warn/35 bg-warn-soft text-warn', 'warning'],
  info: ['border-line bg-sunken text-muted', 'info'],
  good: ['border-good/35 bg-good-soft text-good', 'check'],
} as const;

/** A sentence that must be seen, where it belongs. */
export function Note({
  tone,
  children,
  action,
}: {
  tone: keyof typeof NOTE_LOOKS;
  children: ReactNode;
  action?: ReactNode;
}) {
  const [look, icon] = NOTE_LOOKS[tone];
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border px-3 py-2 text-sm ${look}`}
    >
      <div className="flex min-w-0 flex-1 basis-48 items-start gap-2">
        <Icon name={icon} size={16} className="mt-0.5" />
        <div className="min-w-0 flex-1 wrap-anywhere">{children}</div>
      </div>
      {action}
    </div>
  );
}

/** A failure where it happened, with the gateway's own words and a way to try again. */
export function Problem({
  error,
  retry,
  retryLabel = 'Try again',
  inset = false,
}: {
  error: unknown;
  retry?: (() => void) | undefined;
  retryLabel?: string;
  /** On a surface without a margin of its own. */
  inset?: boolean;
}) {
  const note = (
    <Note
      tone="bad"
      action={
        retry !== undefined && (
          <Button size="small" onClick={retry}>
            {retryLabel}
          </Button>
        )
      }
    >
      {problemText(error)}
    </Note>
  );
  return inset ? <div className="p-4">{note}</div> : note;
}

/** Grey bars while something loads. */
export function Loading({ rows = 4, label = 'Loading' }: { rows?: number; label?: string }) {
  const widths = ['w-full', 'w-11/12', 'w-4/5', 'w-2/3'];
  return (
    <div role="status" aria-label={label} className="flex animate-pulse flex-col gap-3 p-4">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike
        <div key={row} className={`h-4 rounded-sm bg-sunken ${widths[row % widths.length]}`} />
      ))}
    </div>
  );
}
