import { askJson } from '../api/client.ts';
import type { Stack } from '../api/types.ts';
import { useChange } from '../api/use-change.ts';
import { Choice } from '../ui/choice.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { FieldPair, NumberField, TemperatureField, TextArea, TextField, Toggle } from '../ui/field.tsx';
import { useForm } from '../ui/form.ts';
import { PLANS } from './stacks.tsx';

const LIMITS = [
  ['tokens_per_day', 'Tokens per day'],
  ['requests_per_minute', 'Requests per minute'],
  ['concurrent_requests', 'Requests at the same time'],
  ['storage_bytes', 'Bytes stored'],
] as const;

interface OfStack {
  readonly stack: Stack;
  readonly onClose: () => void;
}

/** Lists and pages that show a stack. */
const TOUCHES = ['stack', 'stacks', 'keys'];

const stackPath = ({ id }: Stack) => `/stacks/${encodeURIComponent(id)}`;

export function EditStack({ stack, onClose, onReload }: OfStack & { readonly onReload: () => void }) {
  const { form, change, fields } = useForm({
    plan: stack.plan,
    image_plan: stack.image_plan,
    paused: stack.paused,
    system_prompt: stack.system_prompt ?? '',
    temperature: stack.temperature ?? null,
    models: stack.models?.join(', ') ?? '',
    limits: stack.limits,
  });
  const save = useChange({
    send: () =>
      askJson<Stack>(stackPath(stack), {
        method: 'PATCH',
        etag: stack.etag,
        json: {
          ...form,
          system_prompt: form.system_prompt === '' ? null : form.system_prompt,
          models: namesIn(form.models),
        },
      }),
    touches: ['stack', 'stacks'],
    onDone: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Stack ${stack.id}`}
      size="wide"
      action="Save"
      change={save}
      onReload={onReload}
    >
      <FieldPair>
        <Choice label="Plan" options={PLANS} {...fields.choice('plan')} />
        <TemperatureField placeholder="0.7" {...fields.number('temperature')} />
      </FieldPair>
      <TextField
        label="Models"
        {...fields.text('models')}
        hint="What clients may send as model, with commas. Empty: all of its engine."
      />
      <TextArea label="System prompt" rows={4} {...fields.text('system_prompt')} />
      <fieldset>
        <legend className="mb-2 text-sm font-medium">Limits</legend>
        <FieldPair>
          {LIMITS.map(([name, label]) => (
            <NumberField
              key={name}
              label={label}
              min={0}
              placeholder="as the plan"
              value={numberIn(form.limits, name)}
              onNumber={(value) => change({ limits: withLimit(form.limits, name, value) })}
            />
          ))}
        </FieldPair>
      </fieldset>
      <div className="flex flex-wrap gap-x-8 gap-y-3">
        <Toggle label="May paint images" {...fields.flag('image_plan')} />
        <Toggle label="Paused" hint="Wakes with the next request." {...fields.flag('paused')} />
      </div>
    </FormDialog>
  );
}

type Limits = Stack['limits'];

function numberIn(limits: Limits, name: string): number | null {
  const value = limits[name];
  return typeof value === 'number' ? value : null;
}

function withLimit(limits: Limits, name: string, value: number | null): Limits {
  const { [name]: _old, ...rest } = limits;
  return value === null ? rest : { ...rest, [name]: value };
}

function namesIn(text: string): readonly string[] | null {
  const names = text.split(',').flatMap((name) => name.trim() || []);
  return names.length === 0 ? null : names;
}

/** Any change enables a stack that is disabled; this one changes nothing else. */
export function useEnableStack(stack: Stack) {
  return useChange({
    send: () => askJson<Stack>(stackPath(stack), { method: 'PATCH', etag: stack.etag, json: {} }),
    touches: TOUCHES,
  });
}

export function DisableStack({ stack, onClose }: OfStack) {
  const disable = useChange({
    send: () => askJson<Stack>(stackPath(stack), { method: 'DELETE', etag: stack.etag }),
    touches: TOUCHES,
    onDone: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Disable ${stack.id}?`}
      lead="All its keys are refused from now on. What is stored of it stays."
      action="Disable stack"
      danger
      change={disable}
    />
  );
}
