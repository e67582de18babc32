import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { askJson, playground } from '../api/client.ts';
import type { SchemaReport } from '../api/types.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/notes.tsx';

const ASK_AFTER_MS = 400;

/** The findings of the schema doctor, updated when typing pauses. */
export function useSchemaReport(stack: string, schema: unknown) {
  const written = schema === undefined ? '' : JSON.stringify(schema);
  const [settled, setSettled] = useState(written);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(written), ASK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [written]);
  return useQuery({
    queryKey: ['schema-report', stack, settled],
    queryFn: ({ signal }) =>
      askJson<SchemaReport>(playground(stack, '/v1/schemas/check'), {
        method: 'POST',
        json: { schema: JSON.parse(settled) },
        signal,
      }),
    enabled: stack !== '' && settled !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** The findings in short, with the repair in reach. */
export function SchemaFindings({
  report,
  error,
  onRepair,
}: {
  report: SchemaReport | undefined;
  error: unknown;
  onRepair: (schema: unknown) => void;
}) {
  if (error !== null && error !== undefined) return <Problem error={error} />;
  if (report === undefined) return null;
  const repairable =
    report.repaired_schema !== null && (report.may_be_invented.length > 0 || report.may_vanish.length > 0);
  return (
    <div className="flex flex-col gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={report.valid ? 'good' : 'bad'}>
          {report.valid ? 'Answers can be held to it' : 'Cannot be used'}
        </Badge>
        {repairable && (
          <Button size="small" onClick={() => onRepair(report.repaired_schema)}>
            Repair
          </Button>
        )}
      </div>
      <Finding
        tone="bad"
        title="Problems"
        rows={report.problems.map(({ path, message }) => `${path || 'the whole'}: ${message}`)}
      />
      <Finding
        tone="warn"
        title="May be invented"
        rows={report.may_be_invented}
        note="Required, and without a way to say that nothing was found."
      />
      <Finding
        tone="warn"
        title="May vanish"
        rows={report.may_vanish}
        note="Not required, so an answer may leave them out."
      />
      <Finding
        tone="plain"
        title="Checked afterwards only"
        rows={report.validated_only.map(({ path, keyword, message }) => `${path} ${keyword}: ${message}`)}
      />
    </div>
  );
}

function Finding({
  tone,
  title,
  rows,
  note,
}: {
  tone: 'bad' | 'warn' | 'plain';
  title: string;
  rows: readonly string[];
  note?: string;
}) {
  if (rows.length === 0) return null;
  const colour = { bad: 'text-bad', warn: 'text-warn', plain: 'text-muted' }[tone];
  return (
    <div>
      <p className={`text-xs font-medium ${colour}`}>
        {title} <span className="tabular">({rows.length})</span>
      </p>
      {note !== undefined && <p className="text-xs text-muted">{note}</p>}
      <ul className="mt-1 flex flex-wrap gap-1 font-mono text-xs wrap-anywhere">
        {rows.map((row) => (
          <li key={row} className="rounded-sm bg-sunken px-1.5 py-0.5">
            {row}
          </li>
        ))}
      </ul>
    </div>
  );
}
