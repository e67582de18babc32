import { lazy, Suspense, useState } from 'react';

const WholeText = lazy(() => import('./whole-text.tsx').then((module) => ({ default: module.WholeText })));

/** A text cut after some characters; a click shows all of it. */
export function Clipped({
  text,
  title,
  most = 80,
  mono = false,
}: {
  text: string;
  title: string;
  most?: number;
  mono?: boolean;
}) {
  const [open, setOpen] = useState(false);
  const font = mono ? 'font-mono text-xs' : '';
  if (text.length <= most && !text.includes('\n'))
    return <span className={`wrap-anywhere ${font}`}>{text}</span>;
  const line = text.replace(/\s+/g, ' ').slice(0, most);
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className={`rounded-sm text-left decoration-faint decoration-dotted underline-offset-3 wrap-anywhere hover:underline ${font}`}
        title="Show all of it"
      >
        {line}…
      </button>
      {open && (
        <Suspense>
          <WholeText text={text} title={title} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
