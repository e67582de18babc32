import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useKeys, useKeysOfShown } from '../api/resources.ts';
import { mayChange, useSession } from '../api/session.ts';
import type { Key } from '../api/types.ts';
import { text } from '../state/url-state.ts';
import { useUrlState } from '../state/use-url-state.ts';
import { Badge, State } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { counted, formatNumber, sentence } from '../ui/format.ts';
import { Listed } from '../ui/listed.tsx';
import { Menu } from '../ui/menu.tsx';
import { Empty } from '../ui/notes.tsx';
import { Card, Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Time } from '../ui/time.tsx';
import { EditKey, NewKey, RevokeKey, RotateKey } from './key-dialogs.tsx';
import { StackPicker } from './stack-picker.tsx';

const SHAPE = { stack: text(), q: text() };

export function KeysPage() {
  const [state, change] = useUrlState(SHAPE);
  const [creates, setCreates] = useState(false);
  const session = useSession();
  const stack = session.role === 'member' ? (session.stack ?? '') : state.stack;
  const newKey = mayChange(session, 'keys') && (
    <Button look="primary" icon="plus" onClick={() => setCreates(true)}>
      New key
    </Button>
  );
  return (
    <Page
      title="Keys"
      lead="Every request carries a key. Its secret is shown once, when it is made."
      actions={
        <>
          <SearchField label="Find a key" value={state.q} onSearch={(q) => change({ q })} />
          {session.role !== 'member' && (
            <StackPicker anyStack value={state.stack} onChange={(next) => change({ stack: next })} />
          )}
          {newKey}
        </>
      }
    >
      <FoundKeys stack={stack} search={state.q} whenEmpty={newKey} />
      {creates && <NewKey stack={stack} onClose={() => setCreates(false)} />}
    </Page>
  );
}

type Doing = { readonly what: 'edit' | 'rotate' | 'revoke'; readonly target: Key };

/** The keys of a stack, or of all, as they are searched. */
function FoundKeys({ stack, search, whenEmpty }: { stack: string; search: string; whenEmpty: ReactNode }) {
  return <KeyList keys={useKeys({ stack, q: search })} search={search} whenEmpty={whenEmpty} />;
}

/** The keys of the stack whose page is shown. */
export function KeysOfShown({ stack, whenEmpty }: { stack: string; whenEmpty: ReactNode }) {
  return <KeyList ofOne keys={useKeysOfShown(stack)} search="" whenEmpty={whenEmpty} />;
}

function KeyList({
  keys,
  search,
  ofOne = false,
  whenEmpty,
}: {
  keys: ReturnType<typeof useKeys>;
  search: string;
  ofOne?: boolean;
  whenEmpty?: ReactNode;
}) {
  const session = useSession();
  const [doing, setDoing] = useState<Doing>();
  const columns = useMemo(
    () => keyColumns({ showsStack: !ofOne, mayEdit: mayChange(session, 'keys'), onDo: setDoing }),
    [ofOne, session],
  );
  const end = () => setDoing(undefined);
  const reload = async ({ stack: of, id }: Key) => {
    const { data } = await keys.refetch();
    const target = data?.find((key) => key.stack === of && key.id === id);
    setDoing(target && { what: 'edit', target });
  };
  return (
    <>
      <Card flush {...(ofOne && { title: 'Keys', actions: whenEmpty })}>
        <Listed
          list={keys}
          empty={
            <Empty
              icon="key"
              title={search === '' ? 'There is no key yet' : `No key has “${search}” in its name`}
              action={search === '' && !ofOne && whenEmpty}
            >
              {search === '' && 'Without a key, nothing is answered.'}
            </Empty>
          }
        >
          {(rows) => (
            <DataTable
              label="Keys"
              columns={columns}
              rows={rows}
              rowId={({ stack: of, id }) => `${of}/${id}`}
              isFaded={({ state }) => state !== 'active'}
            />
          )}
        </Listed>
      </Card>
      {doing?.what === 'edit' && (
        <EditKey
          key={doing.target.etag}
          target={doing.target}
          onClose={end}
          onReload={() => void reload(doing.target)}
        />
      )}
      {doing?.what === 'rotate' && <RotateKey target={doing.target} onClose={end} />}
      {doing?.what === 'revoke' && <RevokeKey target={doing.target} onClose={end} />}
    </>
  );
}

const STATES = { active: 'good', expired: 'warn', revoked: 'plain', disabled: 'plain' } as const;

function keyColumns({
  showsStack,
  mayEdit,
  onDo,
}: {
  showsStack: boolean;
  mayEdit: boolean;
  onDo: (doing: Doing) => void;
}): readonly Column<Key>[] {
  return [
    {
      id: 'id',
      header: 'Key',
      sortBy: ({ stack, id }) => `${stack}/${id}`,
      cell: (key) => (
        <span className="block">
          <span className="font-medium wrap-anywhere">{key.id}</span>
          {showsStack && (
            <Link
              href={`/stacks/${encodeURIComponent(key.stack)}`}
              className="block w-fit rounded-sm text-xs text-muted hover:underline"
            >
              {key.stack}
            </Link>
          )}
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      sortBy: ({ state }) => state,
      cell: ({ state }) => <State tone={STATES[state]}>{state}</State>,
    },
    { id: 'may', header: 'May', from: 'md', cell: (key) => <Rights target={key} /> },
    {
      id: 'limits',
      header: 'Requests a minute',
      right: true,
      from: 'lg',
      sortBy: ({ limits }) => limits.requests_per_minute ?? Number.POSITIVE_INFINITY,
      cell: ({ limits }) =>
        limits.requests_per_minute ? (
          formatNumber(limits.requests_per_minute)
        ) : (
          <span className="text-faint">as the stack</span>
        ),
    },
    {
      id: 'expires',
      header: 'Expires',
      from: 'md',
      sortBy: ({ expires_at }) => expires_at ?? '9',
      cell: ({ expires_at }) =>
        expires_at === null ? <span className="text-faint">never</span> : <Time at={expires_at} />,
    },
    {
      id: 'created',
      header: 'Created',
      from: 'sm',
      sortBy: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Time at={created_at} form="ago" />,
    },
    {
      id: 'do',
      header: 'Actions',
      headerHidden: true,
      right: true,
      cell: (key) => mayEdit && <Actions target={key} onDo={onDo} />,
    },
  ];
}

function Rights({ target }: { target: Key }) {
  const marks = [
    ...(target.declared ? ['declared'] : []),
    ...(target.retrieval ? ['retrieval'] : []),
    ...(target.knowledge ? [`knowledge: ${target.knowledge}`] : []),
    ...(target.read_only ? ['read only'] : []),
    ...(target.own_images_only ? ['own images only'] : []),
    ...(target.scopes ?? []),
    ...(target.allowed_ips?.length ? [counted(target.allowed_ips.length, 'network')] : []),
  ];
  return (
    <span className="inline-flex flex-wrap gap-1">
      {marks.length === 0 ? (
        <span className="text-faint">everything</span>
      ) : (
        marks.map((mark) => <Badge key={mark}>{mark}</Badge>)
      )}
    </span>
  );
}

function Actions({ target, onDo }: { target: Key; onDo: (doing: Doing) => void }) {
  if (!target.editable) {
    return (
      <IconButton
        size="small"
        icon="lock"
        label={sentence(target.not_editable_because ?? 'declared in the configuration file')}
        aria-disabled="true"
      />
    );
  }
  const isOver = target.state === 'revoked' || target.state === 'disabled';
  return (
    <Menu
      trigger={<IconButton size="small" icon="more" label={`Actions for ${target.stack}/${target.id}`} />}
      items={[
        { label: 'Edit', icon: 'edit', disabled: isOver, onSelect: () => onDo({ what: 'edit', target }) },
        {
          label: 'New secret',
          icon: 'refresh',
          disabled: isOver,
          onSelect: () => onDo({ what: 'rotate', target }),
        },
        {
          label: 'Revoke',
          icon: 'trash',
          danger: true,
          disabled: isOver,
          onSelect: () => onDo({ what: 'revoke', target }),
        },
      ]}
    />
  );
}
