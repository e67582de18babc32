import { useState } from 'react';
import { ask, askJson } from '../api/client.ts';
import type { Key } from '../api/types.ts';
import { useChange } from '../api/use-change.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { CopyField } from '../ui/copy.tsx';
import { Dialog, FormDialog } from '../ui/dialog.tsx';
import { FieldColumn, FieldPair, NumberField, TextArea, TextField, Toggle } from '../ui/field.tsx';
import { fieldsOf, useForm } from '../ui/form.ts';
import { Note } from '../ui/notes.tsx';
import { bodyOf, changesOf, EMPTY_KEY, formOf, type KeyForm, KNOWLEDGE } from './key-form.ts';
import { StackPicker } from './stack-picker.tsx';

const keyPath = ({ stack, id }: Pick<Key, 'stack' | 'id'>) =>
  `/stacks/${encodeURIComponent(stack)}/keys/${encodeURIComponent(id)}`;

/** Lists and pages that show keys. */
const TOUCHES = ['keys', 'stacks', 'stack'];

function KeyFields({ form, change }: { form: KeyForm; change: (next: Partial<KeyForm>) => void }) {
  const fields = fieldsOf(form, change);
  return (
    <>
      <FieldPair>
        <TextField
          label="Expires"
          type="date"
          {...fields.text('expires')}
          hint="Empty: never. The day begins in UTC."
        />
        <Choice label="Knowledge" options={KNOWLEDGE} {...fields.choice('knowledge')} />
        <NumberField
          label="Requests per minute"
          min={1}
          placeholder="as the stack"
          {...fields.number('requestsPerMinute')}
        />
        <NumberField
          label="Requests at the same time"
          min={1}
          placeholder="as the stack"
          {...fields.number('concurrentRequests')}
        />
      </FieldPair>
      <Toggle
        label="Answer from the stack’s documents"
        hint="Passages that fit the question are added to every chat."
        {...fields.flag('retrieval')}
      />
      <TextArea
        label="Prompt for images"
        rows={2}
        {...fields.text('prompt')}
        hint="Used where a request for an image has none."
      />
    </>
  );
}

/** Makes a key, then shows its secret once. */
export function NewKey({ stack, onClose }: { stack: string; onClose: () => void }) {
  const [made, setMade] = useState<Key>();
  const { form, change, fields } = useForm({ ...EMPTY_KEY, id: '', target: stack });
  const create = useChange({
    send: () =>
      askJson<Key>(`/stacks/${encodeURIComponent(form.target)}/keys`, {
        method: 'POST',
        json: { id: form.id, ...bodyOf(form) },
      }),
    touches: TOUCHES,
    onDone: setMade,
  });
  if (made !== undefined) return <Secret made={made} onClose={onClose} />;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={stack === '' ? 'New key' : `New key of ${stack}`}
      action="Create key"
      change={create}
      disabled={form.id === '' || form.target === ''}
    >
      {stack === '' && <StackPicker wide value={form.target} onChange={(target) => change({ target })} />}
      <TextField
        label="Id"
        {...fields.text('id')}
        autoFocus
        autoComplete="off"
        placeholder="web"
        hint="Small letters, figures and hyphens. It names the key in usage and logs."
      />
      <KeyFields form={form} change={change} />
    </FormDialog>
  );
}

/** The one time that a secret is shown. */
function Secret({ made, onClose }: { made: Key; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={`Secret of ${made.stack}/${made.id}`} size="wide">
      <FieldColumn>
        <Note tone="warn">Copy it now. The gateway keeps a hash of it only, and cannot show it again.</Note>
        <CopyField label="API key" value={made.secret ?? ''} />
        <CopyField
          label="Try it"
          value={`curl ${location.origin}/v1/models -H "Authorization: Bearer ${made.secret ?? ''}"`}
        />
        <div className="flex justify-end">
          <Button look="primary" onClick={onClose}>
            I have copied it
          </Button>
        </div>
      </FieldColumn>
    </Dialog>
  );
}

interface OfKey {
  readonly target: Key;
  readonly onClose: () => void;
}

export function EditKey({ target, onClose, onReload }: OfKey & { readonly onReload: () => void }) {
  const { form, change } = useForm(() => formOf(target));
  const save = useChange({
    send: () =>
      askJson<Key>(keyPath(target), {
        method: 'PATCH',
        json: changesOf(target, form),
        etag: target.etag,
      }),
    touches: TOUCHES,
    onDone: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Key ${target.stack}/${target.id}`}
      action="Save"
      change={save}
      onReload={onReload}
    >
      <KeyFields form={form} change={change} />
    </FormDialog>
  );
}

const OVERLAPS = [
  { value: '0', label: 'Not at all' },
  { value: '3600', label: 'One hour' },
  { value: '86400', label: 'One day' },
  { value: '604800', label: 'One week' },
] as const;
type Overlap = (typeof OVERLAPS)[number]['value'];

export function RotateKey({ target, onClose }: OfKey) {
  const { form, fields } = useForm<{ overlap: Overlap }>({ overlap: '3600' });
  const [made, setMade] = useState<Key>();
  const rotate = useChange({
    send: () =>
      askJson<Key>(`${keyPath(target)}/rotate`, {
        method: 'POST',
        etag: target.etag,
        json: { overlap_seconds: Number(form.overlap) },
      }),
    touches: TOUCHES,
    onDone: setMade,
  });
  if (made !== undefined) return <Secret made={{ ...target, ...made }} onClose={onClose} />;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`New secret for ${target.stack}/${target.id}`}
      lead="The key keeps its name, its limits and its usage."
      action="Make a new secret"
      change={rotate}
    >
      <Choice label="The old secret works on for" options={OVERLAPS} {...fields.choice('overlap')} />
    </FormDialog>
  );
}

export function RevokeKey({ target, onClose }: OfKey) {
  const revoke = useChange({
    send: () => ask(keyPath(target), { method: 'DELETE', etag: target.etag }),
    touches: TOUCHES,
    onDone: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Revoke ${target.stack}/${target.id}?`}
      lead="Requests with it are refused from now on. A revoked key does not come back."
      action="Revoke key"
      danger
      change={revoke}
    />
  );
}
