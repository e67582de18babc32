import { useEffect, useState } from 'react';
import { Button, IconButton } from './button.tsx';

const SHOWN_MS = 1600;

function useCopied(): readonly [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (text: string) => {
    copyText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return [copied, copy];
}

/** On plain http the clipboard API is missing; the selection of a field is the older way. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  (document.activeElement?.parentElement ?? document.body).append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

export function CopyButton({
  text,
  label = 'Copy',
  compact = false,
}: {
  text: string;
  label?: string;
  compact?: boolean;
}) {
  const [copied, copy] = useCopied();
  if (compact) {
    return (
      <IconButton
        size="small"
        label={copied ? 'Copied' : label}
        icon={copied ? 'check' : 'copy'}
        onClick={() => copy(text)}
      />
    );
  }
  return (
    <Button size="small" icon={copied ? 'check' : 'copy'} onClick={() => copy(text)}>
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  );
}

/** A value that is there to be copied. */
export function CopyField({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex flex-col gap-1">
      <span className="text-xs font-medium text-muted">{label}</span>
      <div className="flex items-center gap-2 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 font-mono text-xs wrap-anywhere select-all">{value}</code>
        <CopyButton text={value} />
      </div>
    </div>
  );
}
