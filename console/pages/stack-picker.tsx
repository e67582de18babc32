import { useStacks } from '../api/resources.ts';
import { Choice } from '../ui/choice.tsx';

interface StackPickerProps {
  readonly value: string;
  readonly onChange: (stack: string) => void;
  /** Whether "all stacks" is a choice. */
  readonly anyStack?: boolean;
  readonly labelHidden?: boolean;
}

const ALL = '*';

/** Which stack a page is about. */
export function StackPicker({ value, onChange, anyStack = false, labelHidden = true }: StackPickerProps) {
  const stacks = useStacks();
  const known = (stacks.data ?? [])
    .filter(({ disabled_at, id }) => disabled_at === null || id === value)
    .map(({ id }) => id);
  const ids = value === '' || known.includes(value) ? known : [value, ...known];
  return (
    <Choice
      label="Stack"
      labelHidden={labelHidden}
      className="w-44"
      value={value === '' ? ALL : value}
      onChange={(stack) => onChange(stack === ALL ? '' : stack)}
      options={[
        ...(anyStack || ids.length === 0
          ? [{ value: ALL, label: anyStack ? 'All stacks' : 'No stack' }]
          : []),
        ...ids.map((id) => ({ value: id, label: id })),
      ]}
    />
  );
}
