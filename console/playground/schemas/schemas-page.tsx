import { useMemo, useState } from 'react';
import type { SchemaReport } from '../../api/types.ts';
import { text } from '../../state/url-state.ts';
import { useUrlState } from '../../state/use-url-state.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code.tsx';
import { TextArea } from '../../ui/field.tsx';
import { fieldsOf } from '../../ui/form.ts';
import { formatNumber } from '../../ui/format.ts';
import { Empty, Loading } from '../../ui/notes.tsx';
import { Card } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { jsonValue, problemOf, typedJson } from '../json-text.ts';
import { PlaygroundPage } from '../playground-page.tsx';
import { prettyJson } from '../pretty-json.ts';
import { SchemaFindings, useSchemaReport } from '../schema-findings.tsx';
import { lineDifference } from './line-difference.ts';

const EXAMPLE = prettyJson({
  type: 'object',
  properties: {
    number: { type: 'string', pattern: '^[A-Z]{2}\\d{4,8}$' },
    issued: { type: 'string', format: 'date' },
    total: { type: 'number' },
    paid_on: { type: 'string', format: 'date' },
  },
  required: ['number', 'issued', 'total'],
});
const SHAPE = { stack: text(), schema: text(EXAMPLE) };

/** The schema doctor: what holds, what may be invented or vanish, and the repaired schema beside the one that was typed. */
export function SchemasPage() {
  const [state, change] = useUrlState(SHAPE);
  const schema = typedJson(state.schema);
  const value = jsonValue(schema);
  const report = useSchemaReport(state.stack, value);
  const setSchema = (next: unknown) => change({ schema: prettyJson(next) });
  return (
    <PlaygroundPage
      title="Schemas"
      lead="What an answer can be held to, what may be invented or vanish, and the repair."
      stack={state.stack}
      change={change}
      request={() =>
        value === undefined ? undefined : { path: '/v1/schemas/check', body: prettyJson({ schema: value }) }
      }
    >
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
        <Card
          title="Schema"
          actions={
            <Button size="small" disabled={value === undefined} onClick={() => setSchema(value)}>
              Format
            </Button>
          }
        >
          <TextArea
            code
            label="JSON Schema"
            labelHidden
            rows={26}
            {...fieldsOf(state, change).text('schema')}
            error={problemOf(schema)}
          />
        </Card>
        <div className="flex min-w-0 flex-col gap-5">
          <Card title="Findings">
            {value === undefined ? (
              <Empty icon="schema" title="Write a schema" />
            ) : report.data === undefined && !report.isError ? (
              <Loading />
            ) : (
              <SchemaFindings report={report.data} error={report.error} onRepair={setSchema} />
            )}
            {report.data?.smallest_answer_tokens != null && (
              <p className="mt-3 text-xs text-muted">
                The shortest answer has about {formatNumber(report.data.smallest_answer_tokens)} tokens.
              </p>
            )}
          </Card>
          {report.data !== undefined && value !== undefined && (
            <Repaired report={report.data} value={value} />
          )}
        </div>
      </div>
    </PlaygroundPage>
  );
}

function Repaired({ report, value }: { report: SchemaReport; value: unknown }) {
  const [tab, setTab] = useState<'difference' | 'repaired' | 'enforced'>('difference');
  const repaired = prettyJson(report.repaired_schema);
  const lines = useMemo(() => lineDifference(prettyJson(value), repaired), [value, repaired]);
  if (report.repaired_schema === null) return null;
  return (
    <Card flush>
      <Tabs
        label="The repaired schema"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'difference',
            label: 'Difference',
            count: lines.filter(({ kind }) => kind !== 'same').length,
            content: lines.every(({ kind }) => kind === 'same') ? (
              <Empty icon="check" title="Nothing to repair" />
            ) : (
              <Difference lines={lines} />
            ),
          },
          {
            value: 'repaired',
            label: 'Repaired',
            content: <CodeBlock language="json" text={repaired} tall />,
          },
          {
            value: 'enforced',
            label: 'Enforced',
            count: report.enforced.length,
            content: (
              <ul className="flex flex-col gap-0.5 font-mono text-xs">
                {report.enforced.map(({ path, keyword }) => (
                  <li key={`${path} ${keyword}`} className="wrap-anywhere">
                    <span className="text-muted">{path || '/'}</span> {keyword}
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </Card>
  );
}

const LOOKS = {
  same: ['', ' '],
  added: ['bg-good-soft text-good', '+'],
  removed: ['bg-bad-soft text-bad', '−'],
} as const;

function Difference({ lines }: { lines: ReturnType<typeof lineDifference> }) {
  return (
    <pre
      tabIndex={0}
      className="max-h-[60vh] overflow-auto rounded-md border border-line bg-sunken py-2 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere"
    >
      {lines.map(({ kind, text: line }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <span key={index} className={`block pr-3 pl-7 -indent-4 ${LOOKS[kind][0]}`}>
          {LOOKS[kind][1]} {line}
        </span>
      ))}
    </pre>
  );
}
