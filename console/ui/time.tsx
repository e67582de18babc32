import { formatAgo, formatClock, formatTime, formatUtc } from './format.ts';

/** A time in the reader's zone; the title has it in UTC. */
export function Time({
  at,
  form = 'full',
  wraps = false,
}: {
  at: string | null | undefined;
  form?: 'full' | 'ago' | 'clock';
  wraps?: boolean;
}) {
  if (at === null || at === undefined) return <span className="text-faint">–</span>;
  const time = new Date(at);
  const text = { full: formatTime, ago: (value: Date) => formatAgo(value, new Date()), clock: formatClock }[
    form
  ](time);
  const title = form === 'ago' ? `${formatTime(time, true)} (${formatUtc(time)})` : formatUtc(time);
  return (
    <time dateTime={at} title={title} className={`tabular ${wraps ? '' : 'whitespace-nowrap'}`}>
      {text}
    </time>
  );
}
