import { useMemo, useState } from 'react';
import { useAudit } from '../api/resources.ts';
import type { AuditRow } from '../api/types.ts';
import { text } from '../state/url-state.ts';
import { useUrlState } from '../state/use-url-state.ts';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { formatNumber } from '../ui/format.ts';
import { Listed } from '../ui/listed.tsx';
import { Empty } from '../ui/notes.tsx';
import { Card, Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Time } from '../ui/time.tsx';
import { changesBetween } from './audit-changes.ts';

const SHAPE = { actor: text(), action: text() };

/** Every change, log-in and erasure: who, when, from where, and what became of it. */
export function AuditPage() {
  const [state, change] = useUrlState(SHAPE);
  const audit = useAudit(state);
  const [shown, setShown] = useState<AuditRow>();
  const columns = useMemo(() => auditColumns(setShown), []);
  const isFiltered = state.actor !== '' || state.action !== '';
  return (
    <Page
      title="Audit"
      lead="Every change, log-in and erasure. Rows are only ever added, each with a hash of the one before."
      actions={
        <>
          <SearchField
            label="Who, in full"
            className="w-full sm:w-40"
            value={state.actor}
            onSearch={(actor) => change({ actor })}
          />
          <SearchField
            label="Action, in full"
            className="w-full sm:w-44"
            value={state.action}
            onSearch={(action) => change({ action })}
          />
        </>
      }
    >
      <Card flush>
        <Listed
          list={audit}
          empty={<Empty icon="audit" title={isFiltered ? 'No row fits' : 'Nothing was changed yet'} />}
        >
          {(rows) => (
            <DataTable
              label="Audit"
              columns={columns}
              rows={rows}
              rowId={({ sequence }) => String(sequence)}
            />
          )}
        </Listed>
      </Card>
      {shown !== undefined && <AuditDialog row={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

function auditColumns(onShow: (row: AuditRow) => void): readonly Column<AuditRow>[] {
  return [
    {
      id: 'at',
      header: 'When',
      cell: ({ at }) => <Time wraps at={at} />,
      sortBy: ({ sequence }) => sequence,
    },
    {
      id: 'actor',
      header: 'Who',
      sortBy: ({ actor }) => actor,
      cell: ({ actor, door, address }) => (
        <span className="block">
          <span className="font-medium">{actor}</span>
          <span className="block text-xs text-muted">
            {door}
            {address ? `, ${address}` : ''}
          </span>
        </span>
      ),
    },
    {
      id: 'action',
      header: 'Action',
      sortBy: ({ action }) => action,
      cell: ({ action, target }) => (
        <span className="block">
          <Badge wraps tone={/revoke|delete|disable|erase|fail|refused/.test(action) ? 'warn' : 'plain'}>
            {action}
          </Badge>
          <span className="mt-1 block text-xs wrap-anywhere text-muted sm:hidden">{target}</span>
        </span>
      ),
    },
    {
      id: 'target',
      header: 'What',
      from: 'sm',
      sortBy: ({ target }) => target,
      cell: ({ target }) => <span className="wrap-anywhere">{target}</span>,
    },
    {
      id: 'changes',
      header: 'Changed',
      from: 'lg',
      cell: ({ before, after }) => (
        <span className="text-muted">
          {changesBetween(before, after)
            .map(({ name }) => name)
            .slice(0, 4)
            .join(', ')}
        </span>
      ),
    },
    {
      id: 'show',
      header: 'Details',
      headerHidden: true,
      right: true,
      cell: (row) => (
        <IconButton
          size="small"
          icon="eye"
          label={`Details of row ${row.sequence}`}
          onClick={() => onShow(row)}
        />
      ),
    },
  ];
}

function AuditDialog({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  const changes = changesBetween(row.before, row.after);
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${row.action} ${row.target}`}
      size="wide"
      lead={
        <>
          Row {formatNumber(row.sequence)}, <Time at={row.at} />, by {row.actor}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {changes.length > 0 ? (
          <table className="w-full text-sm">
            <thead>
              <tr className="border-b border-line text-left text-xs text-muted">
                <th scope="col" className="py-1.5 pr-3 font-medium">
                  Name
                </th>
                <th scope="col" className="py-1.5 pr-3 font-medium">
                  Before
                </th>
                <th scope="col" className="py-1.5 font-medium">
                  After
                </th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ name, before, after }) => (
                <tr key={name} className="border-b border-line align-top last:border-b-0">
                  <td className="py-1.5 pr-3 font-mono text-xs">{name}</td>
                  <td className="py-1.5 pr-3 font-mono text-xs wrap-anywhere text-bad">{before}</td>
                  <td className="py-1.5 font-mono text-xs wrap-anywhere text-good">{after}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          <p className="text-sm text-muted">Nothing of the target was changed by it.</p>
        )}
        <details>
          <summary className="text-sm text-muted">The whole row</summary>
          <div className="mt-2">
            <CodeBlock language="json" text={JSON.stringify(row, null, 2)} />
          </div>
        </details>
      </div>
    </Dialog>
  );
}
