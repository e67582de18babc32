import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { API, ask, askJson, playground } from '../../api/client.ts';
import { useKnowledge } from '../../api/resources.ts';
import { useSession } from '../../api/session.ts';
import type { KnowledgeDocument, List, Passage } from '../../api/types.ts';
import { text } from '../../state/url-state.ts';
import { useUrlState } from '../../state/use-url-state.ts';
import { Badge, State } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Clipped } from '../../ui/clipped.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { counted, formatBytes, formatNumber } from '../../ui/format.ts';
import { LoadMore } from '../../ui/load-more.tsx';
import { Empty, Loading, Problem } from '../../ui/notes.tsx';
import { Card } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { DropZone } from '../drop-zone.tsx';
import { PlaygroundPage } from '../playground-page.tsx';

const SHAPE = { stack: text(), q: text() };
const PASSAGES = 8;
const ACCEPT = '.md,.txt,.html,.pdf,.docx,.csv,.tsv,text/*,application/pdf';

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
  const onStack = useCallback((stack: string) => change({ stack }), [change]);
  const onSearch = useCallback((q: string) => change({ q }), [change]);
  return (
    <PlaygroundPage
      title="Knowledge"
      stack={state.stack}
      onStack={onStack}
      request={() => ({
        path: '/v1/knowledge/search',
        body: JSON.stringify({ query: state.q, limit: PASSAGES }),
      })}
    >
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <Card flush title="Documents" note={documents.data && counted(documents.data.length, 'document')}>
          {session.playground !== false && (
            <div className="border-b border-line p-4">
              <Upload stack={state.stack} />
            </div>
          )}
          {documents.isError && (
            <div className="p-4">
              <Problem error={documents.error} retry={() => void documents.refetch()} />
            </div>
          )}
          {documents.data === undefined ? (
            !documents.isError && <Loading />
          ) : documents.data.length === 0 ? (
            <Empty icon="knowledge" title="No documents yet">
              Keys with retrieval answer from what is uploaded here.
            </Empty>
          ) : (
            <>
              <DataTable label="Documents" columns={columns} rows={documents.data} rowId={({ id }) => id} />
              <LoadMore list={documents} />
            </>
          )}
        </Card>
        <Card flush title="Search" note="as an answer would">
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

/** Files on their way, one after the other; the bytes sent are told, since fetch tells nothing of them. */
function Upload({ stack }: { stack: string }) {
  const client = useQueryClient();
  const [sent, setSent] = useState({ share: 0, name: '' });
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) await sendFile(stack, file, (share) => setSent({ share, name: file.name }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['knowledge'] }),
  });
  return (
    <div className="flex flex-col gap-3">
      <DropZone
        compact
        multiple
        label="Add documents"
        hint="Markdown, text, HTML, PDF, DOCX, CSV"
        accept={ACCEPT}
        onFiles={(files) => upload.mutate(files)}
      />
      {upload.isPending && (
        <div>
          <div className="flex justify-between gap-3 text-xs text-muted">
            <span className="truncate">{sent.name}</span>
            <span className="tabular">{Math.round(100 * sent.share)} %</span>
          </div>
          <div
            role="progressbar"
            aria-label={`Upload of ${sent.name}`}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(100 * sent.share)}
            className="mt-1 h-1 overflow-hidden rounded-full bg-sunken"
          >
            <div
              className="h-full rounded-full bg-accent transition-[width]"
              style={{ width: `${100 * sent.share}%` }}
            />
          </div>
        </div>
      )}
      {upload.isError && <Problem error={upload.error} />}
    </div>
  );
}

function sendFile(stack: string, file: File, onShare: (share: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${API}${playground(stack, '/v1/knowledge')}`);
    request.upload.onprogress = ({ loaded, total }) => onShare(total === 0 ? 1 : loaded / total);
    request.onload = () =>
      request.status < 300 ? resolve() : reject(new ApiError(request.status, parsed(request.responseText)));
    request.onerror = () => reject(new TypeError('The upload was cut.'));
    const form = new FormData();
    form.append('file', file);
    onShare(0);
    request.send(form);
  });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function Found({ stack, question }: { stack: string; question: string }) {
  const found = useQuery({
    queryKey: ['search', stack, question],
    queryFn: ({ signal }) =>
      askJson<List<Passage>>(playground(stack, '/v1/knowledge/search'), {
        method: 'POST',
        json: { query: question, limit: PASSAGES },
        signal,
      }),
    enabled: stack !== '' && question.trim() !== '',
    retry: false,
  });
  if (question.trim() === '')
    return (
      <Empty icon="search" title="Ask as a user would">
        The passages that an answer would be drawn from appear here, with their scores.
      </Empty>
    );
  if (found.isError) {
    return (
      <div className="p-4">
        <Problem error={found.error} />
      </div>
    );
  }
  if (found.data === undefined) return <Loading />;
  if (found.data.data.length === 0) return <Empty icon="search" title="Nothing was found" />;
  return (
    <ol className="divide-y divide-line">
      {found.data.data.map((passage, index) => (
        <li key={`${passage.document_id} ${passage.text.slice(0, 40)} ${passage.fused}`} className="p-4">
          <div className="flex flex-wrap items-baseline gap-x-2 text-sm">
            <span className="tabular text-faint">{index + 1}.</span>
            <span className="font-medium wrap-anywhere">{passage.document}</span>
            {passage.page !== null && <span className="text-muted">page {passage.page}</span>}
            <span className="tabular ml-auto text-xs text-muted" title="How likely it is an answer">
              score {passage.score.toFixed(3)}
            </span>
          </div>
          {passage.headings.length > 0 && (
            <p className="text-xs text-muted">{passage.headings.join(' › ')}</p>
          )}
          <p className="mt-1.5 text-sm whitespace-pre-wrap wrap-anywhere">{passage.text}</p>
          <p className="tabular mt-1.5 text-xs text-faint">
            words {passage.words.toFixed(3)} · meaning{' '}
            {passage.meaning === null ? '–' : passage.meaning.toFixed(3)} · fused {passage.fused.toFixed(3)}
          </p>
        </li>
      ))}
    </ol>
  );
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
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      ask(playground(stack, `/v1/knowledge/${encodeURIComponent(target.id)}`), { method: 'DELETE' }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['knowledge'] });
      onClose();
    },
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      danger
      title={`Remove ${target.name}?`}
      lead="It is not found any more, and all that is stored of it is deleted."
      action="Remove document"
      busy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
    />
  );
}
