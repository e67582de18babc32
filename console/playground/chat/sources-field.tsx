import { Link } from 'wouter';
import { type Models, usePlaygroundKey } from '../../api/resources.ts';
import { Toggle } from '../../ui/field.tsx';

interface SourcesFieldProps {
  readonly stack: string;
  readonly models: Models;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Whether answers show their sources, and why they would have none. */
export function SourcesField({ stack, models, checked, onChange }: SourcesFieldProps) {
  const { data: key } = usePlaygroundKey(stack, models);
  return (
    <div className="flex flex-col gap-1">
      <Toggle
        label="Sources"
        hint="The passages of the stack’s documents that an answer was drawn from."
        checked={checked}
        onChange={onChange}
      />
      {checked && key?.retrieval === false && (
        <p className="pl-[42px] text-xs text-muted">
          The key <span className="font-mono">{key.id}</span> has no retrieval, so there are none.{' '}
          <Link
            href={`/keys#${new URLSearchParams({ stack, q: key.id })}`}
            className="rounded-sm text-accent-strong underline underline-offset-2"
          >
            Set it on the Keys page
          </Link>
        </p>
      )}
    </div>
  );
}
