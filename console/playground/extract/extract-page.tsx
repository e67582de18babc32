import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { askJson, playground } from '../../api/client.ts';
import type { Extraction } from '../../api/types.ts';
import { text } from '../../state/url-state.ts';
import { useUrlState } from '../../state/use-url-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code.tsx';
import { TextArea } from '../../ui/field.tsx';
import { counted, formatBytes, formatDuration, formatNumber } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Loading, Problem } from '../../ui/notes.tsx';
import { Card } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { DropZone } from '../drop-zone.tsx';
import { jsonValue, problemOf, typedJson } from '../json-text.ts';
import { pagesOf, type ShownPage } from '../page-images.ts';
import { PlaygroundPage } from '../playground-page.tsx';
import { prettyJson } from '../pretty-json.ts';
import { SchemaFindings, useSchemaReport } from '../schema-findings.tsx';
import { type Leaf, leafAt, leavesOf } from './places.ts';

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
const ACCEPT = 'application/pdf,image/png,image/jpeg,image/webp';

/** A document on the left, its data on the right; a value and its place light up together. */
export function ExtractPage() {
  const [state, change] = useUrlState(SHAPE);
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
  const onStack = useCallback((stack: string) => change({ stack }), [change]);
  return (
    <PlaygroundPage
      title="Extract"
      stack={state.stack}
      onStack={onStack}
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
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
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
            <div className="p-4">
              <Problem error={pages.error} />
            </div>
          ) : pages.data === undefined ? (
            <Loading label="Drawing the pages" />
          ) : (
            <Pages pages={pages.data} leaves={leaves} lit={lit} onLight={setLit} />
          )}
        </Card>
        <div className="flex flex-col gap-5">
          <Card title="What to find">
            <div className="flex flex-col gap-4">
              <TextArea
                code
                label="Schema"
                rows={12}
                value={state.schema}
                onText={(next) => change({ schema: next })}
                error={problemOf(schema)}
              />
              <SchemaFindings
                report={report.data}
                error={report.error}
                onRepair={(repaired) => change({ schema: prettyJson(repaired) })}
              />
              <TextArea
                label="Say more"
                rows={2}
                value={state.user}
                onText={(user) => change({ user })}
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
            </div>
          </Card>
          {extract.data !== undefined && (
            <Result extraction={extract.data} leaves={leaves} lit={lit} onLight={setLit} />
          )}
        </div>
      </div>
    </PlaygroundPage>
  );
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

interface Lighting {
  readonly leaves: readonly Leaf[];
  readonly lit: string | undefined;
  readonly onLight: (path: string | undefined) => void;
}

function Pages({ pages, leaves, lit, onLight }: Lighting & { pages: readonly ShownPage[] }) {
  return (
    <section
      className="flex max-h-[calc(100dvh-9rem)] flex-col gap-4 overflow-y-auto bg-sunken p-4 focus-visible:-outline-offset-2"
      tabIndex={0}
      aria-label="Pages"
    >
      {pages.map((page) => (
        <PageView
          key={`${page.file} ${page.page}`}
          page={page}
          leaves={leaves.filter(({ place }) => place?.file === page.file && place.page === page.page)}
          lit={lit}
          onLight={onLight}
        />
      ))}
    </section>
  );
}

const percent = (share: number) => `${(100 * share).toFixed(3)}%`;

function PageView({ page, leaves, lit, onLight }: Lighting & { page: ShownPage }) {
  const boxes = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (leaves.some(({ path }) => path === lit))
      boxes.current
        ?.querySelector('[data-lit="true"]')
        ?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [lit, leaves]);
  const pick = (event: React.MouseEvent<HTMLDivElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    onLight(
      leafAt(leaves, {
        file: page.file,
        page: page.page,
        x: (event.clientX - left) / width,
        y: (event.clientY - top) / height,
      })?.path,
    );
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: each box is a button too
    // biome-ignore lint/a11y/useKeyWithClickEvents: each box is a button too
    <div
      ref={boxes}
      onClick={pick}
      className="relative shrink-0 self-center shadow-[0_1px_4px_var(--shadow)]"
    >
      <img
        src={page.image}
        alt={`Page ${page.page} of file ${page.file}`}
        width={page.width}
        height={page.height}
        className="h-auto w-full bg-white"
      />
      {leaves.map(({ path, place }) =>
        place === undefined ? null : (
          <button
            key={path}
            type="button"
            aria-label={`${path}: ${place.quote}`}
            data-lit={lit === path}
            onMouseEnter={() => onLight(path)}
            onMouseLeave={() => onLight(undefined)}
            onFocus={() => onLight(path)}
            onClick={(event) => {
              event.stopPropagation();
              onLight(path);
              document
                .getElementById(`leaf-${path}`)
                ?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
            }}
            className="absolute -m-[3px] box-content rounded-[3px] border-2 border-[#3b5bdb]/60 bg-[#3b5bdb]/10 p-px transition-colors data-[lit=true]:border-[#d9480f] data-[lit=true]:bg-[#ffa94d]/35"
            style={{
              left: percent(place.box.x0),
              top: percent(place.box.y0),
              width: percent(place.box.x1 - place.box.x0),
              height: percent(place.box.y1 - place.box.y0),
            }}
          />
        ),
      )}
    </div>
  );
}

function Result({
  extraction,
  leaves,
  lit,
  onLight,
}: Lighting & { extraction: Extraction & { durationMs: number } }) {
  const [tab, setTab] = useState<'values' | 'json'>('values');
  const found = leaves.filter(({ place }) => place !== undefined).length;
  return (
    <Card
      flush
      title="Data"
      actions={
        <>
          <Badge>{counted(extraction.pages, 'page')}</Badge>
          {extraction.ocr_used && <Badge tone="accent">OCR</Badge>}
          <Badge>{formatDuration(extraction.durationMs)}</Badge>
        </>
      }
    >
      <Tabs
        label="Data"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'values',
            label: 'Values',
            count: leaves.length,
            content: <Values leaves={leaves} lit={lit} onLight={onLight} />,
          },
          {
            value: 'json',
            label: 'JSON',
            content: <CodeBlock language="json" text={prettyJson(extraction.data)} tall />,
          },
        ]}
      />
      <p className="tabular border-t border-line px-4 py-2 text-xs text-muted">
        {formatNumber(found)} of {counted(leaves.length, 'value')} found in the document;{' '}
        {formatNumber(extraction.usage.prompt_tokens)} tokens read,{' '}
        {formatNumber(extraction.usage.completion_tokens)} written
      </p>
    </Card>
  );
}

function Values({ leaves, lit, onLight }: Lighting) {
  if (leaves.length === 0) return <Empty icon="extract" title="The data is empty" />;
  return (
    <ul className="-mx-2 flex flex-col">
      {leaves.map((leaf) => (
        <li key={leaf.path} id={`leaf-${leaf.path}`}>
          <button
            type="button"
            onMouseEnter={() => onLight(leaf.path)}
            onMouseLeave={() => onLight(undefined)}
            onFocus={() => onLight(leaf.path)}
            onClick={() => onLight(leaf.path)}
            className={`grid w-full grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-baseline gap-3 rounded-sm px-2 py-1.5 text-left text-sm ${lit === leaf.path ? 'bg-accent-soft' : ''}`}
          >
            <span className="font-mono text-xs wrap-anywhere text-muted">{leaf.path}</span>
            <span className={`wrap-anywhere ${leaf.value === null ? 'text-faint' : 'font-medium'}`}>
              {typeof leaf.value === 'string' ? leaf.value : JSON.stringify(leaf.value)}
            </span>
            <span className="tabular inline-flex items-center gap-1.5 text-xs text-muted">
              {leaf.confidence !== undefined && (
                <span title="Probability">{Math.round(100 * leaf.confidence)} %</span>
              )}
              {leaf.place === undefined ? (
                <span title="Not found in the document as such">–</span>
              ) : (
                <Icon name="eye" size={13} />
              )}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
