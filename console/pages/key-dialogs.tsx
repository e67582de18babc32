import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, askJson } from '../api/client.ts';
import type { Key } from '../api/types.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { CopyField } from '../ui/copy.tsx';
import { Dialog, FormDialog } from '../ui/dialog.tsx';
import { NumberField, TextArea, TextField, Toggle } from '../ui/field.tsx';
import { Note } from '../ui/notes.tsx';
import { StackPicker } from './stack-picker.tsx';

const keyPath = ({ stack, id }: Pick<Key, 'stack' | 'id'>) =>
  `/stacks/${encodeURIComponent(stack)}/keys/${encodeURIComponent(id)}`;

function useRefreshKeys() {
  const client = useQueryClient();
  return () =>
    Promise.all(['keys', 'stacks', 'stack'].map((name) => client.invalidateQueries({ queryKey: [name] })));
}

const KNOWLEDGE = [
  { value: 'none', label: 'No access' },
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Read and write' },
] as const;
type Knowledge = (typeof KNOWLEDGE)[number]['value'];

interface KeyForm {
  readonly prompt: string;
  readonly retrieval: boolean;
  readonly knowledge: Knowledge;
  readonly expires: string;
  readonly requestsPerMinute: number | null;
  readonly concurrentRequests: number | null;
}

const EMPTY: KeyForm = {
  prompt: '',
  retrieval: false,
  knowledge: 'none',
  expires: '',
  requestsPerMinute: null,
  concurrentRequests: null,
};

function formOf(key: Key): KeyForm {
  return {
    prompt: key.prompt ?? '',
    retrieval: key.retrieval,
    knowledge: key.knowledge === 'read' || key.knowledge === 'write' ? key.knowledge : 'none',
    expires: key.expires_at?.slice(0, 10) ?? '',
    requestsPerMinute: key.limits.requests_per_minute ?? null,
    concurrentRequests: key.limits.concurrent_requests ?? null,
  };
}

/** The body of a creation or a change. */
function bodyOf(form: KeyForm) {
  return {
    prompt: form.prompt === '' ? null : form.prompt,
    retrieval: form.retrieval,
    knowledge: form.knowledge === 'none' ? null : form.knowledge,
    expires_at: form.expires === '' ? null : `${form.expires}T00:00:00Z`,
    limits: {
      ...(form.requestsPerMinute !== null && { requests_per_minute: form.requestsPerMinute }),
      ...(form.concurrentRequests !== null && { concurrent_requests: form.concurrentRequests }),
    },
  };
}

function KeyFields({ form, change }: { form: KeyForm; change: (next: Partial<KeyForm>) => void }) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Expires"
          type="date"
          value={form.expires}
          onText={(expires) => change({ expires })}
          hint="Empty: never. The day begins in UTC."
        />
        <Choice
          label="Knowledge"
          options={KNOWLEDGE}
          value={form.knowledge}
          onChange={(knowledge) => change({ knowledge })}
        />
        <NumberField
          label="Requests per minute"
          min={1}
          placeholder="as the stack"
          value={form.requestsPerMinute}
          onNumber={(requestsPerMinute) => change({ requestsPerMinute })}
        />
        <NumberField
          label="Requests at the same time"
          min={1}
          placeholder="as the stack"
          value={form.concurrentRequests}
          onNumber={(concurrentRequests) => change({ concurrentRequests })}
        />
      </div>
      <Toggle
        label="Answer from the stack’s documents"
        hint="Passages that fit the question are added to every chat."
        checked={form.retrieval}
        onChange={(retrieval) => change({ retrieval })}
      />
      <TextArea
        label="Prompt for images"
        rows={2}
        value={form.prompt}
        onText={(prompt) => change({ prompt })}
        hint="Used where a request for an image has none."
      />
    </>
  );
}

/** Makes a key, then shows its secret once. */
export function NewKey({ open, stack, onClose }: { open: boolean; stack: string; onClose: () => void }) {
  const refresh = useRefreshKeys();
  const [id, setId] = useState('');
  const [chosen, setChosen] = useState('');
  const [form, setForm] = useState(EMPTY);
  const [made, setMade] = useState<Key>();
  const target = stack === '' ? chosen : stack;
  const create = useMutation({
    mutationFn: () =>
      askJson<Key>(`/stacks/${encodeURIComponent(target)}/keys`, {
        method: 'POST',
        json: { id, ...bodyOf(form) },
      }),
    onSuccess: async (key) => {
      setMade(key);
      await refresh();
    },
  });
  const close = () => {
    setId('');
    setForm(EMPTY);
    setMade(undefined);
    create.reset();
    onClose();
  };
  if (made !== undefined) return <Secret made={made} onClose={close} />;
  return (
    <FormDialog
      open={open}
      onClose={close}
      title={stack === '' ? 'New key' : `New key of ${stack}`}
      action="Create key"
      busy={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate()}
      disabled={id === '' || target === ''}
    >
      {stack === '' && <StackPicker labelHidden={false} value={chosen} onChange={setChosen} />}
      <TextField
        label="Id"
        value={id}
        onText={setId}
        autoFocus
        autoComplete="off"
        placeholder="web"
        hint="Small letters, figures and hyphens. It names the key in usage and logs."
      />
      <KeyFields form={form} change={(next) => setForm((before) => ({ ...before, ...next }))} />
    </FormDialog>
  );
}

/** The one time that a secret is shown. */
function Secret({ made, onClose }: { made: Key; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={`Secret of ${made.stack}/${made.id}`} size="wide">
      <div className="flex flex-col gap-4">
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
      </div>
    </Dialog>
  );
}

export function EditKey({ target, onClose }: { target: Key; onClose: () => void }) {
  const refresh = useRefreshKeys();
  const [form, setForm] = useState(() => formOf(target));
  const save = useMutation({
    mutationFn: () =>
      askJson<Key>(keyPath(target), { method: 'PATCH', json: bodyOf(form), etag: target.etag }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Key ${target.stack}/${target.id}`}
      action="Save"
      busy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
    >
      <KeyFields form={form} change={(next) => setForm((before) => ({ ...before, ...next }))} />
    </FormDialog>
  );
}

const OVERLAPS = [
  { value: '0', label: 'Not at all' },
  { value: '3600', label: 'One hour' },
  { value: '86400', label: 'One day' },
  { value: '604800', label: 'One week' },
] as const;

export function RotateKey({ target, onClose }: { target: Key; onClose: () => void }) {
  const refresh = useRefreshKeys();
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]['value']>('3600');
  const [made, setMade] = useState<Key>();
  const rotate = useMutation({
    mutationFn: () =>
      askJson<Key>(`${keyPath(target)}/rotate`, {
        method: 'POST',
        json: { overlap_seconds: Number(overlap) },
      }),
    onSuccess: async (key) => {
      setMade(key);
      await refresh();
    },
  });
  if (made !== undefined) return <Secret made={{ ...target, ...made }} onClose={onClose} />;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`New secret for ${target.stack}/${target.id}`}
      lead="The key keeps its name, its limits and its usage."
      action="Make a new secret"
      busy={rotate.isPending}
      error={rotate.error}
      onSubmit={() => rotate.mutate()}
    >
      <Choice label="The old secret works on for" options={OVERLAPS} value={overlap} onChange={setOverlap} />
    </FormDialog>
  );
}

export function RevokeKey({ target, onClose }: { target: Key; onClose: () => void }) {
  const refresh = useRefreshKeys();
  const revoke = useMutation({
    mutationFn: () => ask(keyPath(target), { method: 'DELETE', etag: target.etag }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Revoke ${target.stack}/${target.id}?`}
      lead="Requests with it are refused from now on. A revoked key does not come back."
      action="Revoke key"
      danger
      busy={revoke.isPending}
      error={revoke.error}
      onSubmit={() => revoke.mutate()}
    />
  );
}
