import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'wouter';
import { Icon, type IconName } from './icon.tsx';

const LOOKS = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  plain: 'bg-surface text-ink border-line-strong hover:bg-hover',
  quiet: 'bg-transparent text-muted border-transparent hover:bg-hover hover:text-ink',
  danger: 'bg-surface text-bad border-line-strong hover:bg-bad-soft',
} as const;
const SHAPE =
  'inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:opacity-55';
const SIZES = { small: 'h-7 px-2 text-xs', usual: 'h-8 px-3 text-sm', large: 'h-9 px-4 text-sm' } as const;

interface Looks {
  readonly look?: keyof typeof LOOKS;
  readonly size?: keyof typeof SIZES;
  readonly icon?: IconName;
}

/** The classes of a button, for triggers that another component renders. */
export function buttonClass({ look = 'plain', size = 'usual' }: Looks): string {
  return `${SHAPE} ${LOOKS[look]} ${SIZES[size]}`;
}

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & Looks & { readonly busy?: boolean };

export function Button({
  look,
  size,
  icon,
  busy = false,
  children,
  className = '',
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      className={`${buttonClass({ look, size })} ${className}`}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy ? <Spinner /> : icon !== undefined && <Icon name={icon} size={15} />}
      {children}
    </button>
  );
}

/** A button with an icon alone; its label is its name and its tip. */
export function IconButton({
  label,
  icon,
  size = 'usual',
  look = 'quiet',
  className = '',
  ...rest
}: ButtonProps & { label: string; icon: IconName }) {
  const square = { small: 'w-7 px-0', usual: 'w-8 px-0', large: 'w-9 px-0' }[size];
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`${buttonClass({ look, size })} ${square} ${className}`}
      {...rest}
    >
      <Icon name={icon} size={size === 'small' ? 14 : 16} />
    </button>
  );
}

export function LinkButton({
  href,
  look,
  size,
  icon,
  children,
}: Looks & { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={buttonClass({ look, size })}>
      {icon !== undefined && <Icon name={icon} size={15} />}
      {children}
    </Link>
  );
}

export function Spinner({ size = 14 }: { size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      className="animate-spin"
      aria-hidden="true"
      fill="none"
    >
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeOpacity="0.25" strokeWidth="3" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}
