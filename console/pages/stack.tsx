import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { askJson } from '../api/client.ts';
import { useLimits, useStack } from '../api/resources.ts';
import { mayChange, useSession } from '../api/session.ts';
import type { Limit, Stack } from '../api/types.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Clipped } from '../ui/clipped.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { NumberField, TextArea, TextField, Toggle } from '../ui/field.tsx';
import { formatNumber } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { Empty, Loading, Note, Problem } from '../ui/notes.tsx';
import { Card, Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { NewKey } from './key-dialogs.tsx';
import { KeyList } from './keys.tsx';
import { PLANS, StackMarks } from './stacks.tsx';

type Doing = 'edit' | 'disable' | 'new-key';

/** One stack: what it is, what it may, and its keys. */
export function StackPage() {
  const { id = '' } = useParams<{ id: string }>();
  const stack = useStack(id);
  const session = useSession();
  const [doing, setDoing] = useState<Doing>();
  const end = () => setDoing(undefined);
  const isOpen =
    stack.data?.editable === true && mayChange(session, 'stacks') && stack.data.disabled_at === null;
  return (
    <Page
      title={id}
      lead={
        <Link
          href="/stacks"
          className="inline-flex items-center gap-1 rounded-sm hover:text-ink hover:underline"
        >
          <Icon name="left" size={13} /> All stacks
        </Link>
      }
      actions={
        <>
          <LinkButton href={`/usage#stack=${encodeURIComponent(id)}`} icon="usage">
            Usage
          </LinkButton>
          <LinkButton href={`/playground/chat#stack=${encodeURIComponent(id)}`} icon="chat">
            Try it
          </LinkButton>
          {isOpen && (
            <>
              <Button look="danger" onClick={() => setDoing('disable')}>
                Disable
              </Button>
              <Button look="primary" icon="edit" onClick={() => setDoing('edit')}>
                Edit
              </Button>
            </>
          )}
        </>
      }
    >
      {stack.isError && <Problem error={stack.error} retry={() => void stack.refetch()} />}
      {stack.isPending && <Loading rows={6} />}
      {stack.data !== undefined && (
        <>
          {!stack.data.editable && stack.data.not_editable_because !== null && (
            <Note tone="info">{stack.data.not_editable_because}</Note>
          )}
          <div className="grid items-start gap-5 lg:grid-cols-2">
            <Facts stack={stack.data} />
            <Limits stack={id} />
          </div>
          <KeyList
            ofOne
            stack={id}
            search=""
            whenEmpty={
              mayChange(session, 'keys') && (
                <Button size="small" icon="plus" onClick={() => setDoing('new-key')}>
                  New key
                </Button>
              )
            }
          />
          <NewKey open={doing === 'new-key'} stack={id} onClose={end} />
          {doing === 'edit' && <EditStack stack={stack.data} onClose={end} />}
          {doing === 'disable' && <DisableStack stack={stack.data} onClose={end} />}
        </>
      )}
    </Page>
  );
}

function Facts({ stack }: { stack: Stack }) {
  const engines = typeof stack.text === 'string' ? stack.text : stack.text?.join(', then ');
  const rows: readonly (readonly [string, React.ReactNode])[] = [
    ['Account', stack.account],
    [
      'Plan',
      <span key="plan" className="capitalize">
        {stack.plan}
      </span>,
    ],
    [
      'State',
      stack.paused || stack.disabled_at !== null || stack.declared || stack.image_plan ? (
        <StackMarks key="marks" stack={stack} />
      ) : (
        'active'
      ),
    ],
    ['Text engine', engines || 'the first one'],
    ['Image engine', stack.image ?? (stack.image_plan ? 'the first one' : 'none: not on the image plan')],
    ['Models', stack.models?.join(', ') || 'all of its engine'],
    [
      'Temperature',
      stack.temperature === null || stack.temperature === undefined
        ? 'as usual'
        : formatNumber(stack.temperature),
    ],
    [
      'System prompt',
      stack.system_prompt ? (
        <Clipped key="prompt" text={stack.system_prompt} title="System prompt" most={140} />
      ) : (
        <span key="none" className="text-faint">
          none
        </span>
      ),
    ],
    ['Created', <Time key="created" at={stack.created_at} />],
    ['Changed', <Time key="changed" at={stack.updated_at} />],
  ];
  return (
    <Card title="About" flush>
      <dl className="divide-y divide-line text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-3 px-4 py-2">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Limits({ stack }: { stack: string }) {
  const limits = useLimits(stack);
  const shown = (limits.data?.data ?? []).filter(({ limit }) => limit !== null);
  return (
    <Card title="Limits" flush>
      {limits.isPending && <Loading />}
      {limits.isError && (
        <div className="p-4">
          <Problem error={limits.error} />
        </div>
      )}
      {limits.data !== undefined && shown.length === 0 && <Empty icon="check" title="No limits" />}
      <ul className="divide-y divide-line">
        {shown.map((limit) => (
          <LimitRow key={`${limit.scope} ${limit.name}`} limit={limit} />
        ))}
      </ul>
    </Card>
  );
}

function LimitRow({ limit: { name, limit, used } }: { limit: Limit }) {
  const most = limit ?? 0;
  return (
    <li className="px-4 py-2 text-sm">
      <div className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate">{name.replaceAll('_', ' ').replace('.', ': ')}</span>
        <span className="tabular whitespace-nowrap">
          {used !== null && <span className="text-muted">{formatNumber(used)} of </span>}
          {formatNumber(most)}
        </span>
      </div>
      {used !== null && (
        <div aria-hidden="true" className="mt-1.5 h-1 overflow-hidden rounded-full bg-sunken">
          <div
            className={`h-full rounded-full ${used >= most ? 'bg-bar-bad' : used > 0.8 * most ? 'bg-bar-warn' : 'bg-bar'}`}
            style={{ width: `${Math.min(100, (100 * used) / Math.max(1, most))}%` }}
          />
        </div>
      )}
    </li>
  );
}

const LIMITS = [
  ['tokens_per_day', 'Tokens per day'],
  ['requests_per_minute', 'Requests per minute'],
  ['concurrent_requests', 'Requests at the same time'],
  ['storage_bytes', 'Bytes stored'],
] as const;

function EditStack({ stack, onClose }: { stack: Stack; onClose: () => void }) {
  const client = useQueryClient();
  const [form, setForm] = useState({
    plan: stack.plan,
    image_plan: stack.image_plan,
    paused: stack.paused,
    system_prompt: stack.system_prompt ?? '',
    temperature: stack.temperature ?? null,
    models: stack.models?.join(', ') ?? '',
    limits: stack.limits,
  });
  const change = (next: Partial<typeof form>) => setForm((before) => ({ ...before, ...next }));
  const save = useMutation({
    mutationFn: () =>
      askJson<Stack>(`/stacks/${encodeURIComponent(stack.id)}`, {
        method: 'PATCH',
        etag: stack.etag,
        json: {
          ...form,
          system_prompt: form.system_prompt === '' ? null : form.system_prompt,
          models: namesIn(form.models),
        },
      }),
    onSuccess: async () => {
      await Promise.all(
        ['stack', 'stacks', 'limits'].map((name) => client.invalidateQueries({ queryKey: [name] })),
      );
      onClose();
    },
  });
  const numberOf = (name: string) => (typeof form.limits[name] === 'number' ? form.limits[name] : null);
  const setLimit = (name: string, value: number | null) => {
    const { [name]: _old, ...rest } = form.limits;
    change({ limits: value === null ? rest : { ...rest, [name]: value } });
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Stack ${stack.id}`}
      size="wide"
      action="Save"
      busy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Choice label="Plan" options={PLANS} value={form.plan} onChange={(plan) => change({ plan })} />
        <NumberField
          label="Temperature"
          min={0}
          max={2}
          step={0.1}
          placeholder="0.7"
          value={form.temperature}
          onNumber={(temperature) => change({ temperature })}
        />
      </div>
      <TextField
        label="Models"
        value={form.models}
        onText={(models) => change({ models })}
        hint="What clients may send as model, with commas. Empty: all of its engine."
      />
      <TextArea
        label="System prompt"
        rows={4}
        value={form.system_prompt}
        onText={(system_prompt) => change({ system_prompt })}
      />
      <fieldset>
        <legend className="mb-2 text-sm font-medium">Limits</legend>
        <div className="grid gap-4 sm:grid-cols-2">
          {LIMITS.map(([name, label]) => (
            <NumberField
              key={name}
              label={label}
              min={0}
              placeholder="as the plan"
              value={numberOf(name)}
              onNumber={(value) => setLimit(name, value)}
            />
          ))}
        </div>
      </fieldset>
      <div className="flex flex-wrap gap-x-8 gap-y-3">
        <Toggle
          label="May paint images"
          checked={form.image_plan}
          onChange={(image_plan) => change({ image_plan })}
        />
        <Toggle
          label="Paused"
          hint="Wakes with the next request."
          checked={form.paused}
          onChange={(paused) => change({ paused })}
        />
      </div>
    </FormDialog>
  );
}

function namesIn(text: string): readonly string[] | null {
  const names = text.split(',').flatMap((name) => name.trim() || []);
  return names.length === 0 ? null : names;
}

function DisableStack({ stack, onClose }: { stack: Stack; onClose: () => void }) {
  const client = useQueryClient();
  const disable = useMutation({
    mutationFn: () =>
      askJson<Stack>(`/stacks/${encodeURIComponent(stack.id)}`, { method: 'DELETE', etag: stack.etag }),
    onSuccess: async () => {
      await Promise.all(
        ['stack', 'stacks', 'keys'].map((name) => client.invalidateQueries({ queryKey: [name] })),
      );
      onClose();
    },
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Disable ${stack.id}?`}
      lead="All its keys are refused from now on. What is stored of it stays."
      action="Disable stack"
      danger
      busy={disable.isPending}
      error={disable.error}
      onSubmit={() => disable.mutate()}
    />
  );
}
