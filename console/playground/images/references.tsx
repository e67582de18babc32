import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { imageUrl } from './image-url.ts';
import { MOST_REFERENCES } from './paint-order.ts';

export interface ReferencesProps {
  readonly parents: readonly string[];
  readonly files: readonly File[];
  readonly onParents: (ids: readonly string[]) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** The images that an edit starts from. */
export function References({ parents, files, onParents, onFiles }: ReferencesProps) {
  const left = MOST_REFERENCES - parents.length - files.length;
  return (
    <div className="flex flex-col gap-2">
      <span className="text-xs font-medium text-muted">References</span>
      {left < MOST_REFERENCES && (
        <ul className="flex flex-wrap gap-3">
          {parents.map((id) => (
            <Reference key={id} name={id} onRemove={() => onParents(parents.filter((other) => other !== id))}>
              <img
                src={imageUrl(id, 128)}
                alt={id}
                className="size-16 rounded-md border border-line object-cover"
              />
            </Reference>
          ))}
          {files.map((file) => (
            <Reference
              key={file.name}
              name={file.name}
              onRemove={() => onFiles(files.filter((other) => other !== file))}
            >
              <span className="grid size-16 place-items-center overflow-hidden rounded-md border border-line bg-sunken p-1 text-center text-[10px] leading-3 wrap-anywhere">
                {file.name.slice(0, 30)}
              </span>
            </Reference>
          ))}
        </ul>
      )}
      <label
        className={`flex items-center justify-center gap-2 rounded-md border border-dashed border-line-strong px-3 py-2 text-xs text-muted focus-within:outline-2 focus-within:outline-accent ${left > 0 ? 'cursor-pointer hover:bg-hover' : 'opacity-55'}`}
      >
        <input
          type="file"
          className="sr-only"
          accept="image/png,image/jpeg,image/webp"
          multiple
          disabled={left === 0}
          onChange={(event) => {
            onFiles([...files, ...(event.target.files ?? [])].slice(0, MOST_REFERENCES - parents.length));
            event.target.value = '';
          }}
        />
        {left > 0 ? 'Add a PNG, JPEG or WEBP to edit it' : 'Four references are the most'}
      </label>
    </div>
  );
}

function Reference({
  name,
  onRemove,
  children,
}: {
  name: string;
  onRemove: () => void;
  children: ReactNode;
}) {
  return (
    <li className="relative">
      {children}
      <IconButton
        size="small"
        look="plain"
        className="!absolute -top-2 -right-2 !size-6 !rounded-full"
        icon="close"
        label={`Leave out ${name}`}
        onClick={onRemove}
      />
    </li>
  );
}
