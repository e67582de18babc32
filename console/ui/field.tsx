import { Switch } from '@base-ui/react/switch';
import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';

interface Described {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly labelHidden?: boolean;
}

/** A label, a control, and below it what is wrong or what helps. */
function Labelled({
  id,
  label,
  hint,
  error,
  labelHidden,
  children,
  className = '',
}: Described & { id: string; children: ReactNode; className?: string }) {
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-xs font-medium text-muted'}>
        {label}
      </label>
      {children}
      {error !== undefined ? (
        <p id={`${id}-note`} className="text-xs text-bad" role="alert">
          {error}
        </p>
      ) : (
        hint !== undefined && (
          <p id={`${id}-note`} className="text-xs text-faint">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

function describedBy(id: string, { hint, error }: Pick<Described, 'hint' | 'error'>): string | undefined {
  return hint !== undefined || error !== undefined ? `${id}-note` : undefined;
}

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> &
  Described & { onText: (text: string) => void; fieldClass?: string };

export function TextField({
  label,
  hint,
  error,
  labelHidden,
  onText,
  className = '',
  fieldClass = '',
  ...rest
}: InputProps) {
  const id = useId();
  return (
    <Labelled {...{ id, label, hint, error, labelHidden }} className={className}>
      <input
        id={id}
        className={`field ${fieldClass}`}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(id, { hint, error })}
        onChange={(event) => onText(event.target.value)}
        {...rest}
      />
    </Labelled>
  );
}

type NumberProps = Omit<InputProps, 'onText' | 'value'> & {
  value: number | null;
  onNumber: (value: number | null) => void;
};

/** A number, or nothing. */
export function NumberField({ value, onNumber, ...rest }: NumberProps) {
  return (
    <TextField
      type="number"
      inputMode="decimal"
      fieldClass="tabular"
      value={value ?? ''}
      onText={(text) => onNumber(text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text))}
      {...rest}
    />
  );
}

/** The sampling temperature; empty: as the stack or the model sets it. */
export function TemperatureField(props: Omit<NumberProps, 'label' | 'min' | 'max' | 'step'>) {
  return <NumberField label="Temperature" min={0} max={2} step={0.1} {...props} />;
}

/** The most tokens that an answer may have. */
export function MostTokensField(props: Omit<NumberProps, 'label' | 'min'>) {
  return <NumberField label="Most tokens" min={1} placeholder="8000" {...props} />;
}

type AreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> &
  Described & { onText: (text: string) => void; code?: boolean; fieldClass?: string };

export function TextArea({
  label,
  hint,
  error,
  labelHidden,
  onText,
  code = false,
  className = '',
  fieldClass = '',
  ...rest
}: AreaProps) {
  const id = useId();
  return (
    <Labelled {...{ id, label, hint, error, labelHidden }} className={className}>
      <textarea
        id={id}
        spellCheck={!code}
        wrap={code ? 'off' : 'soft'}
        className={`field resize-y ${code ? 'font-mono text-xs leading-5' : ''} ${fieldClass}`}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(id, { hint, error })}
        onChange={(event) => onText(event.target.value)}
        {...rest}
      />
    </Labelled>
  );
}

/** Fields below each other. */
export function FieldColumn({ children }: { children: ReactNode }) {
  return <div className="flex flex-col gap-4">{children}</div>;
}

/** Fields side by side where there is room; short ones everywhere. */
export function FieldPair({ children, short = false }: { children: ReactNode; short?: boolean }) {
  return (
    <div className={`grid gap-4 ${short ? 'grid-cols-2' : 'grid-cols-1 sm:grid-cols-2'}`}>{children}</div>
  );
}

/** Yes or no, at once. */
export function Toggle({
  label,
  hint,
  checked,
  onChange,
  disabled = false,
}: {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <Switch.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-labelledby={`${id}-label`}
        className="relative mt-px flex h-[18px] w-8 shrink-0 rounded-full border border-line-strong bg-sunken p-px transition-colors data-checked:border-accent data-checked:bg-accent data-disabled:opacity-55"
      >
        <Switch.Thumb className="size-3.5 rounded-full bg-faint transition-transform data-checked:translate-x-3.5 data-checked:bg-on-accent" />
      </Switch.Root>
      <label htmlFor={id} id={`${id}-label`} className="text-sm leading-5">
        {label}
        {hint !== undefined && <span className="block text-xs text-faint">{hint}</span>}
      </label>
    </div>
  );
}
