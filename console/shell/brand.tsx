/** The logo. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className="shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M8 22V12.5A2.5 2.5 0 0 1 10.5 10h11a2.5 2.5 0 0 1 2.5 2.5V22M13 22v-6h6v6"
        fill="none"
        className="stroke-on-accent"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
