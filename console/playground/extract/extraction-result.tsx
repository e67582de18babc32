import { useState } from 'react';
import type { Extraction } from '../../api/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { CodeBlock } from '../../ui/code.tsx';
import { counted, formatDuration, formatNumber } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Card } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { prettyJson } from '../pretty-json.ts';
import type { Lighting } from './lit-pages.tsx';

/** The extracted data, value by value and as JSON. */
export function ExtractionResult({
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
