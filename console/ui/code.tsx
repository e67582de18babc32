import { useMemo } from 'react';
import { CopyButton } from './copy.tsx';
import { jsonPieces } from './json-pieces.ts';

const COLOURS = {
  key: 'text-accent-strong',
  text: 'text-good',
  number: 'text-warn',
  word: 'text-bad',
  rest: '',
} as const;
const MOST_COLOURED = 60_000;

/** JSON with colours; long ones stay plain, since every colour is an element. */
export function JsonText({ text }: { text: string }) {
  const pieces = useMemo(
    () => (text.length > MOST_COLOURED ? [{ kind: 'rest' as const, text, at: 0 }] : jsonPieces(text)),
    [text],
  );
  return pieces.map((piece) => (
    <span key={piece.at} className={COLOURS[piece.kind]}>
      {piece.text}
    </span>
  ));
}

/** Code to read and to copy. */
export function CodeBlock({
  text,
  language = 'plain',
  label = 'Copy',
  tall = false,
}: {
  text: string;
  language?: 'plain' | 'json';
  label?: string;
  tall?: boolean;
}) {
  return (
    <div className="group relative min-w-0">
      <pre
        tabIndex={0}
        className={`overflow-auto rounded-md border border-line bg-sunken p-3 pr-11 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere ${tall ? 'max-h-[70vh]' : 'max-h-96'}`}
      >
        {language === 'json' ? <JsonText text={text} /> : text}
      </pre>
      <div className="absolute top-1.5 right-1.5">
        <CopyButton compact text={text} label={label} />
      </div>
    </div>
  );
}
