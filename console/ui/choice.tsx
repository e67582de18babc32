import { Select } from '@base-ui/react/select';
import { Toggle } from '@base-ui/react/toggle';
import { ToggleGroup } from '@base-ui/react/toggle-group';
import { useId } from 'react';
import { Icon } from './icon.tsx';
import { useSurroundings } from './surroundings.ts';

export interface Option<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly note?: string;
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly options: readonly Option<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly labelHidden?: boolean;
  readonly disabled?: boolean;
  readonly className?: string;
}

/** One of many, in a list that opens. */
export function Choice<T extends string>({
  label,
  options,
  value,
  onChange,
  labelHidden = false,
  disabled = false,
  className = '',
}: ChoiceProps<T>) {
  const id = useId();
  const [trigger, surroundings] = useSurroundings();
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <span id={id} className={labelHidden ? 'sr-only' : 'text-xs font-medium text-muted'}>
        {label}
      </span>
      <Select.Root
        items={options.map((option) => ({ value: option.value, label: option.label }))}
        value={value}
        onValueChange={(next) => next !== null && onChange(next as T)}
        disabled={disabled}
      >
        <Select.Trigger
          ref={trigger}
          aria-labelledby={id}
          className="field flex items-center justify-between gap-2 text-left"
        >
          <Select.Value className="truncate" />
          <Select.Icon className="text-faint">
            <Icon name="down" size={14} />
          </Select.Icon>
        </Select.Trigger>
        <Select.Portal container={surroundings}>
          <Select.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50 outline-none">
            <Select.Popup className="popup max-h-[min(24rem,var(--available-height))] max-w-(--available-width) min-w-(--anchor-width) overflow-y-auto p-1">
              <Select.List aria-labelledby={id}>
                {options.map((option) => (
                  <Select.Item
                    key={option.value}
                    value={option.value}
                    className="flex cursor-default items-center gap-2 rounded-sm py-1.5 pr-6 pl-2 text-sm outline-none data-highlighted:bg-hover"
                  >
                    <span className="w-4 shrink-0">
                      <Select.ItemIndicator>
                        <Icon name="check" size={14} />
                      </Select.ItemIndicator>
                    </span>
                    <span className="min-w-0 wrap-anywhere">
                      <Select.ItemText>{option.label}</Select.ItemText>
                      {option.note !== undefined && (
                        <span className="block text-xs text-muted">{option.note}</span>
                      )}
                    </span>
                  </Select.Item>
                ))}
              </Select.List>
            </Select.Popup>
          </Select.Positioner>
        </Select.Portal>
      </Select.Root>
    </div>
  );
}

/** One of a few, all in view. */
export function Segments<T extends string>({
  label,
  options,
  value,
  onChange,
  labelHidden = true,
  wide = false,
  className = '',
}: ChoiceProps<T> & { readonly wide?: boolean }) {
  const id = useId();
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <span id={id} className={labelHidden ? 'sr-only' : 'text-xs font-medium text-muted'}>
        {label}
      </span>
      <ToggleGroup
        aria-labelledby={id}
        value={[value]}
        onValueChange={([next]) => next !== undefined && onChange(next as T)}
        className={`inline-flex max-w-full overflow-x-auto rounded-md border border-line bg-sunken p-0.5 ${wide ? 'w-full' : 'w-fit'}`}
      >
        {options.map((option) => (
          <Toggle
            key={option.value}
            value={option.value}
            title={option.note}
            className="grow rounded-sm px-2.5 py-[5px] text-xs font-medium whitespace-nowrap text-muted hover:text-ink data-pressed:bg-segment data-pressed:text-ink data-pressed:shadow-[0_1px_2px_var(--shadow)]"
          >
            {option.label}
          </Toggle>
        ))}
      </ToggleGroup>
    </div>
  );
}
