import { useStacks } from '../api/resources.ts';
import { Choice } from '../ui/choice.tsx';

interface StackPickerProps {
  readonly value: string;
  readonly onChange: (stack: string) => void;
  /** Whether "all stacks" is a choice. */
  readonly anyStack?: boolean;
  /** As a field of a form, with its label. */
  readonly wide?: boolean;
}

const ALL = '*';

/** Which stack a page is about. */
export function StackPicker({ value, onChange, anyStack = false, wide = false }: StackPickerProps) {
  const stacks = useStacks();
  const known = (stacks.data ?? [])
    .filter(({ disabled_at, id }) => disabled_at === null || id === value)
    .map(({ id }) => id);
  const ids = value === '' || known.includes(value) ? known : [value, ...known];
  const none = anyStack ? 'All stacks' : 'Choose a stack';
  return (
    <Choice
      label="Stack"
      labelHidden={!wide}
      className={wide ? '' : 'w-44'}
      value={value === '' ? ALL : value}
      onChange={(stack) => onChange(stack === ALL ? '' : stack)}
      options={[
        ...(anyStack || value === '' ? [{ value: ALL, label: none }] : []),
        ...ids.map((id) => ({ value: id, label: id })),
      ]}
    />
  );
}
