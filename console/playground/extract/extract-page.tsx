import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { askJson, playground } from '../../api/client.ts';
import type { Extraction } from '../../api/types.ts';
import { text } from '../../state/url-state.ts';
import { useUrlState } from '../../state/use-url-state.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code.tsx';
import { FieldColumn, TextArea } from '../../ui/field.tsx';
import { fieldsOf } from '../../ui/form.ts';
import { formatBytes } from '../../ui/format.ts';
import { Loading, Problem } from '../../ui/notes.tsx';
import { Card } from '../../ui/page.tsx';
import { DropZone } from '../drop-zone.tsx';
import { jsonValue, problemOf, typedJson } from '../json-text.ts';
import { pagesOf } from '../page-images.ts';
import { PlaygroundPage } from '../playground-page.tsx';
import { prettyJson } from '../pretty-json.ts';
import { SchemaFindings, useSchemaReport } from '../schema-findings.tsx';
import { ExtractionResult } from './extraction-result.tsx';
import { LitPages } from './lit-pages.tsx';
import { leavesOf } from './places.ts';

const EXAMPLE = prettyJson({
  type: 'object',
  required: ['invoice_number', 'date', 'total'],
  properties: {
    invoice_number: { type: ['string', 'null'] },
    date: { type: ['string', 'null'], format: 'date' },
    total: { type: ['number', 'null'] },
  },
});
const SHAPE = { stack: text(), schema: text(EXAMPLE), user: text() };
const [LEAST_LINES, MOST_LINES] = [6, 14];
const ACCEPT = 'application/pdf,image/png,image/jpeg,image/webp';

/** A document on the left, its data on the right; a value and its place light up together. */
export function ExtractPage() {
  const [state, change] = useUrlState(SHAPE);
  const fields = fieldsOf(state, change);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [lit, setLit] = useState<string>();
  const schema = typedJson(state.schema);
  const report = useSchemaReport(state.stack, jsonValue(schema));
  const pages = useMutation({ mutationFn: (chosen: readonly File[]) => pagesOf(state.stack, chosen) });
  const extract = useMutation({ mutationFn: () => sendExtraction({ ...state, files }) });
  const choose = (chosen: readonly File[]) => {
    setFiles(chosen);
    extract.reset();
    if (chosen.length > 0) pages.mutate(chosen);
    else pages.reset();
  };
  const leaves = useMemo(
    () =>
      extract.data === undefined
        ? []
        : leavesOf(extract.data.data, extract.data.citations, extract.data.confidence),
    [extract.data],
  );
  return (
    <PlaygroundPage
      title="Extract"
      lead="A schema says what to find; every value that is on a page lights up its place."
      stack={state.stack}
      change={change}
      request={() => ({
        path: pathFor(files),
        form: [
          ...(files.length === 0
            ? [{ name: 'file', file: 'document.pdf' }]
            : files.map(({ name }) => ({ name: 'file', file: name }))),
          ...partsOf(state),
        ],
      })}
    >
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
        <Card
          flush
          title="Document"
          note={
            files.length > 0
              ? files.map(({ name, size }) => `${name}, ${formatBytes(size)}`).join('; ')
              : undefined
          }
          actions={
            files.length > 0 && (
              <IconButton
                size="small"
                icon="close"
                label="Take another document"
                onClick={() => choose([])}
              />
            )
          }
        >
          {files.length === 0 ? (
            <div className="p-4">
              <DropZone
                label="Choose PDFs or pictures"
                hint="They go to the gateway only, and are not stored."
                accept={ACCEPT}
                multiple
                onFiles={choose}
              />
            </div>
          ) : pages.isError ? (
            <Problem inset error={pages.error} />
          ) : pages.data === undefined ? (
            <Loading label="Drawing the pages" />
          ) : (
            <LitPages pages={pages.data} leaves={leaves} lit={lit} onLight={setLit} />
          )}
        </Card>
        <div className="flex min-w-0 flex-col gap-5">
          <Card title="What to find">
            <FieldColumn>
              <TextArea
                code
                label="Schema"
                rows={linesOf(state.schema)}
                {...fields.text('schema')}
                error={problemOf(schema)}
              />
              <SchemaFindings
                report={report.data}
                error={report.error}
                onRepair={(repaired) => change({ schema: prettyJson(repaired) })}
              />
              <TextArea
                label="Say more"
                rows={1}
                {...fields.text('user')}
                placeholder="The total is in the second file."
              />
              <Button
                look="primary"
                size="large"
                icon="extract"
                busy={extract.isPending}
                disabled={files.length === 0 || jsonValue(schema) === undefined || state.stack === ''}
                onClick={() => extract.mutate()}
              >
                {extract.isPending ? 'Reading' : 'Extract'}
              </Button>
              {extract.isError && <ExtractProblem error={extract.error} />}
            </FieldColumn>
          </Card>
          {extract.data !== undefined && (
            <ExtractionResult extraction={extract.data} leaves={leaves} lit={lit} onLight={setLit} />
          )}
        </div>
      </div>
    </PlaygroundPage>
  );
}

/** A schema in view as a whole, within bounds. */
function linesOf(schema: string): number {
  return Math.min(MOST_LINES, Math.max(LEAST_LINES, schema.split('\n').length));
}

function pathFor(files: readonly File[]): string {
  return files.some(({ type }) => type.startsWith('image/')) ? '/v1/images/extract' : '/v1/documents/extract';
}

function partsOf({ schema, user }: { schema: string; user: string }) {
  return [
    { name: 'schema', text: JSON.stringify(jsonValue(typedJson(schema)) ?? {}) },
    ...(user.trim() === '' ? [] : [{ name: 'user', text: user }]),
    { name: 'citations', text: 'true' },
    { name: 'confidence', text: 'true' },
  ];
}

async function sendExtraction({
  stack,
  schema,
  user,
  files,
}: {
  stack: string;
  schema: string;
  user: string;
  files: readonly File[];
}): Promise<Extraction & { readonly durationMs: number }> {
  const form = new FormData();
  for (const file of files) form.append('file', file);
  for (const { name, text: value } of partsOf({ schema, user })) form.append(name, value);
  const begun = performance.now();
  const answer = await askJson<Extraction>(playground(stack, pathFor(files)), { method: 'POST', form });
  return { ...answer, durationMs: performance.now() - begun };
}

function ExtractProblem({ error }: { error: unknown }) {
  const body = error instanceof ApiError ? (error.body as { raw_output?: unknown } | undefined) : undefined;
  return (
    <>
      <Problem error={error} />
      {typeof body?.raw_output === 'string' && <CodeBlock text={body.raw_output} language="json" />}
    </>
  );
}
