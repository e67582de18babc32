import { useCallback, useMemo, useState } from 'react';
import { ask, playground } from '../../api/client.ts';
import { useKnowledge } from '../../api/resources.ts';
import { useSession } from '../../api/session.ts';
import type { KnowledgeDocument } from '../../api/types.ts';
import { useChange } from '../../api/use-change.ts';
import { text } from '../../state/url-state.ts';
import { useUrlState } from '../../state/use-url-state.ts';
import { Badge, State } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Clipped } from '../../ui/clipped.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { counted, formatBytes, formatNumber } from '../../ui/format.ts';
import { Listed } from '../../ui/listed.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Card } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { PlaygroundPage } from '../playground-page.tsx';
import { Found, PASSAGES } from './found.tsx';
import { Upload } from './upload.tsx';

const SHAPE = { stack: text(), q: text() };

/** The documents of a stack, and what a question finds in them. */
export function KnowledgePage() {
  const [state, change] = useUrlState(SHAPE);
  const documents = useKnowledge(state.stack);
  const session = useSession();
  const [removes, setRemoves] = useState<KnowledgeDocument>();
  const columns = useMemo(
    () => documentColumns(session.playground === false ? undefined : setRemoves),
    [session.playground],
  );
  const onSearch = useCallback((q: string) => change({ q }), [change]);
  return (
    <PlaygroundPage
      title="Knowledge"
      lead="The documents of a stack, and the passages that an answer would be drawn from."
      stack={state.stack}
      change={change}
      request={() => ({
        path: '/v1/knowledge/search',
        body: JSON.stringify({ query: state.q, limit: PASSAGES }),
      })}
    >
      <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-2">
        <Card flush title="Documents" note={documents.data && counted(documents.data.length, 'document')}>
          {session.playground !== false && (
            <div className="border-b border-line p-4">
              <Upload stack={state.stack} />
            </div>
          )}
          <Listed
            list={documents}
            empty={
              <Empty icon="knowledge" title="No documents yet">
                Keys with retrieval answer from what is uploaded here.
              </Empty>
            }
          >
            {(rows) => <DataTable label="Documents" columns={columns} rows={rows} rowId={({ id }) => id} />}
          </Listed>
        </Card>
        <Card flush title="Search">
          <div className="border-b border-line p-4">
            <SearchField label="Ask a question" className="w-full" value={state.q} onSearch={onSearch} />
          </div>
          <Found stack={state.stack} question={state.q} />
        </Card>
      </div>
      {removes !== undefined && (
        <RemoveDocument stack={state.stack} target={removes} onClose={() => setRemoves(undefined)} />
      )}
    </PlaygroundPage>
  );
}

const TONES = { queued: 'plain', indexing: 'accent', ready: 'good', failed: 'bad' } as const;

function documentColumns(
  onRemove: ((target: KnowledgeDocument) => void) | undefined,
): readonly Column<KnowledgeDocument>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      sortBy: ({ name }) => name,
      cell: (row) => (
        <span className="block">
          <span className="font-medium wrap-anywhere">{row.name}</span>{' '}
          {row.declared && (
            <Badge title={`The configuration file owns it${row.source === null ? '.' : `: ${row.source}`}`}>
              declared
            </Badge>
          )}
          {row.failure !== null && (
            <span className="block text-xs text-bad">
              <Clipped
                text={typeof row.failure === 'string' ? row.failure : (row.failure.message ?? 'It failed.')}
                title={`Why ${row.name} failed`}
              />
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      sortBy: ({ state }) => state,
      cell: ({ state, progress }) => (
        <span className="block">
          <State tone={TONES[state]}>{state}</State>
          {state === 'indexing' && (
            <span className="mt-1 block h-1 w-20 overflow-hidden rounded-full bg-sunken">
              <span
                className="block h-full rounded-full bg-accent"
                style={{ width: `${Math.round(100 * progress)}%` }}
              />
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'chunks',
      header: 'Passages',
      right: true,
      from: 'sm',
      sortBy: ({ chunks }) => chunks,
      cell: ({ chunks }) => formatNumber(chunks),
    },
    {
      id: 'size',
      header: 'Size',
      right: true,
      from: 'sm',
      sortBy: ({ size_bytes }) => size_bytes,
      cell: ({ size_bytes }) => formatBytes(size_bytes),
    },
    {
      id: 'remove',
      header: 'Actions',
      headerHidden: true,
      right: true,
      cell: (row) =>
        onRemove !== undefined &&
        !row.declared && (
          <IconButton size="small" icon="trash" label={`Remove ${row.name}`} onClick={() => onRemove(row)} />
        ),
    },
  ];
}

function RemoveDocument({
  stack,
  target,
  onClose,
}: {
  stack: string;
  target: KnowledgeDocument;
  onClose: () => void;
}) {
  const remove = useChange({
    send: () =>
      ask(playground(stack, `/v1/knowledge/${encodeURIComponent(target.id)}`), { method: 'DELETE' }),
    touches: ['knowledge'],
    onDone: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      danger
      title={`Remove ${target.name}?`}
      lead="It is not found any more, and all that is stored of it is deleted."
      action="Remove document"
      change={remove}
    />
  );
}
