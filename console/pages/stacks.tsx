import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { askJson } from '../api/client.ts';
import { useStacks } from '../api/resources.ts';
import { mayChange, useSession } from '../api/session.ts';
import type { Stack } from '../api/types.ts';
import { useChange } from '../api/use-change.ts';
import { text } from '../state/url-state.ts';
import { useUrlState } from '../state/use-url-state.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { TextField, Toggle } from '../ui/field.tsx';
import { useForm } from '../ui/form.ts';
import { capitalised, formatNumber } from '../ui/format.ts';
import { Listed } from '../ui/listed.tsx';
import { Empty } from '../ui/notes.tsx';
import { Card, Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Time } from '../ui/time.tsx';

const SHAPE = { q: text() };
export const PLANS = ['go', 'pro', 'max', 'enterprise'].map((value) => ({
  value,
  label: capitalised(value),
}));

export function StacksPage() {
  const [state, change] = useUrlState(SHAPE);
  const [creates, setCreates] = useState(false);
  const stacks = useStacks(state.q);
  const mayCreate = mayChange(useSession(), 'stacks');
  const create = mayCreate && (
    <Button look="primary" icon="plus" onClick={() => setCreates(true)}>
      New stack
    </Button>
  );
  return (
    <Page
      title="Stacks"
      lead="A stack has a plan, a model, a prompt and keys. Limits and usage belong to it."
      actions={
        <>
          <SearchField label="Find a stack" value={state.q} onSearch={(q) => change({ q })} />
          {create}
        </>
      }
    >
      <Card flush>
        <Listed
          list={stacks}
          empty={
            <Empty
              icon="stack"
              title={state.q === '' ? 'There is no stack yet' : `No stack has “${state.q}” in its name`}
              action={state.q === '' && create}
            >
              {state.q === '' && 'Make one here, or declare it in stackgate.yaml.'}
            </Empty>
          }
        >
          {(rows) => (
            <DataTable
              label="Stacks"
              columns={COLUMNS}
              rows={rows}
              rowId={({ id }) => id}
              isFaded={({ disabled_at }) => disabled_at !== null}
            />
          )}
        </Listed>
      </Card>
      {creates && <NewStack onClose={() => setCreates(false)} />}
    </Page>
  );
}

/** The peculiarities of a stack, in a word each. */
export function StackMarks({ stack }: { stack: Stack }) {
  const isPlain = !stack.paused && stack.disabled_at === null && !stack.declared && !stack.image_plan;
  if (isPlain) return <span className="text-muted">active</span>;
  return (
    <span className="inline-flex flex-wrap gap-1">
      {stack.disabled_at !== null && <Badge tone="bad">disabled</Badge>}
      {stack.paused && <Badge tone="warn">paused</Badge>}
      {stack.declared && <Badge title="Declared in stackgate.yaml, and changed there.">declared</Badge>}
      {stack.image_plan && <Badge tone="accent">images</Badge>}
    </span>
  );
}

const COLUMNS: readonly Column<Stack>[] = [
  {
    id: 'id',
    header: 'Stack',
    sortBy: ({ id }) => id,
    cell: ({ id, account }) => (
      <span className="block">
        <Link href={`/stacks/${encodeURIComponent(id)}`} className="rounded-sm font-medium hover:underline">
          {id}
        </Link>
        <span className="block text-xs text-muted">{account}</span>
      </span>
    ),
  },
  { id: 'marks', header: 'State', cell: (stack) => <StackMarks stack={stack} /> },
  {
    id: 'plan',
    header: 'Plan',
    cell: ({ plan }) => <span className="capitalize">{plan}</span>,
    sortBy: ({ plan }) => plan,
    from: 'sm',
  },
  {
    id: 'models',
    header: 'Models',
    cell: ({ models }) => <span className="text-muted">{models?.join(', ') || 'all of its engine'}</span>,
    from: 'lg',
  },
  {
    id: 'created',
    header: 'Created',
    cell: ({ created_at }) => <Time at={created_at} form="ago" />,
    sortBy: ({ created_at }) => created_at,
    from: 'md',
  },
  {
    id: 'keys',
    header: 'Keys',
    cell: ({ keys }) => formatNumber(keys),
    sortBy: ({ keys }) => keys,
    right: true,
  },
];

function NewStack({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const { form, fields } = useForm({ id: '', account: '', plan: 'go', imagePlan: false });
  const create = useChange({
    send: () =>
      askJson<Stack>('/stacks', {
        method: 'POST',
        json: {
          id: form.id,
          ...(form.account !== '' && { account: form.account }),
          plan: form.plan,
          image_plan: form.imagePlan,
        },
      }),
    touches: ['stacks'],
    onDone: ({ id }) => {
      onClose();
      navigate(`/stacks/${encodeURIComponent(id)}`);
    },
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="New stack"
      action="Create stack"
      change={create}
      disabled={form.id === ''}
    >
      <TextField
        label="Id"
        {...fields.text('id')}
        autoFocus
        autoComplete="off"
        placeholder="shop"
        hint="Small letters, figures and hyphens; it stays as it is."
      />
      <TextField
        label="Account"
        {...fields.text('account')}
        autoComplete="off"
        placeholder={form.id || 'acme'}
        hint="Whose stack it is. Empty: as the id."
      />
      <Choice label="Plan" options={PLANS} {...fields.choice('plan')} />
      <Toggle label="May paint images" {...fields.flag('imagePlan')} />
    </FormDialog>
  );
}
