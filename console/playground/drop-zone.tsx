import { type DragEvent, useState } from 'react';
import { Icon } from '../ui/icon.tsx';

/** A place for files: by click, by keyboard, or dropped. */
export function DropZone({
  label,
  hint,
  accept,
  multiple = false,
  onFiles,
  compact = false,
}: {
  label: string;
  hint?: string;
  accept: string;
  multiple?: boolean;
  onFiles: (files: readonly File[]) => void;
  compact?: boolean;
}) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer.files.length > 0)
      onFiles([...event.dataTransfer.files].slice(0, multiple ? undefined : 1));
  };
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`flex cursor-pointer flex-col items-center justify-center gap-1 rounded-lg border border-dashed px-4 text-center text-sm focus-within:outline-2 focus-within:outline-accent hover:bg-hover ${compact ? 'py-3' : 'py-12'} ${over ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
    >
      <Icon name="upload" size={compact ? 16 : 20} className="text-faint" />
      <span className="font-medium">{label}</span>
      {hint !== undefined && <span className="text-xs text-muted">{hint}</span>}
      <input
        type="file"
        className="sr-only"
        accept={accept}
        multiple={multiple}
        onChange={(event) => {
          if (event.target.files !== null && event.target.files.length > 0) onFiles([...event.target.files]);
          event.target.value = '';
        }}
      />
    </label>
  );
}
