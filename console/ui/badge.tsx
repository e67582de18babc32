import type { ReactNode } from 'react';

const TONES = {
  plain: 'bg-tag text-muted',
  accent: 'bg-accent-soft text-accent-strong',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
} as const;
export type Tone = keyof typeof TONES;

export function Badge({
  tone = 'plain',
  children,
  title,
  wraps = false,
}: {
  tone?: Tone;
  children: ReactNode;
  title?: string;
  /** A long name is broken where there is no room for it. */
  wraps?: boolean;
}) {
  return (
    <span
      title={title}
      className={`inline-flex items-center gap-1 rounded-sm px-1.5 py-px text-xs font-medium ${wraps ? 'wrap-anywhere' : 'whitespace-nowrap'} ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}

const DOTS = {
  plain: 'bg-faint',
  accent: 'bg-accent',
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
} as const;

/** A state: a dot for the eye, a word for everyone. */
export function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span className={`size-2 rounded-full ${DOTS[tone]}`} aria-hidden="true" />
      {children}
    </span>
  );
}
