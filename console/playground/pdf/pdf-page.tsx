import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ask, playground } from '../../api/client.ts';
import { choice, number, text } from '../../state/url-state.ts';
import { useUrlState } from '../../state/use-url-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Segments } from '../../ui/choice.tsx';
import { FieldColumn, MostTokensField, TextArea } from '../../ui/field.tsx';
import { fieldsOf } from '../../ui/form.ts';
import { counted, formatBytes, formatDuration } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Loading, Note, Problem } from '../../ui/notes.tsx';
import { Card } from '../../ui/page.tsx';
import { pagesOf, type ShownPage } from '../page-images.ts';
import { PlaygroundPage } from '../playground-page.tsx';

const EXAMPLE = `<!doctype html>
<title>Hello</title>
<style>
  body { font-family: sans-serif; }
  h1 { color: #3b5bdb; }
</style>
<h1>Hello</h1>
<p>From a gateway.</p>`;

const MODES = [
  { value: 'html', label: 'HTML' },
  { value: 'instruction', label: 'Instruction' },
] as const;

const SHAPE = {
  stack: text(),
  mode: choice(['html', 'instruction'], 'html'),
  html: text(EXAMPLE),
  user: text(),
  system: text(),
  maxTokens: number(null),
};

interface Printed {
  readonly pdf: Blob;
  readonly pages: readonly ShownPage[];
  readonly count: number;
  readonly blocked: number;
  readonly durationMs: number;
}

/** HTML, or an instruction to a model, becomes a PDF; its pages are shown as pictures. */
export function PdfPage() {
  const [state, change] = useUrlState(SHAPE);
  const fields = fieldsOf(state, change);
  const body = bodyOf(state);
  const print = useMutation({ mutationFn: () => printed(state.stack, body) });
  const isEmpty = (state.mode === 'html' ? state.html : state.user).trim() === '';
  return (
    <PlaygroundPage
      title="PDF"
      lead="HTML, or an instruction to the model, becomes a PDF; the gateway draws its pages."
      stack={state.stack}
      change={change}
      request={() => ({
        path: '/v1/documents/generate',
        body: JSON.stringify(body, null, 2),
        output: 'document.pdf',
      })}
    >
      <div className="grid items-start gap-5 grid-cols-1 lg:grid-cols-2">
        <Card title="Source" actions={<Segments label="Mode" options={MODES} {...fields.choice('mode')} />}>
          <FieldColumn>
            {state.mode === 'html' ? (
              <TextArea
                code
                label="HTML"
                rows={22}
                {...fields.text('html')}
                hint="Nothing is fetched and no script runs. Pictures and fonts are embedded as data: addresses."
              />
            ) : (
              <>
                <TextArea
                  label="What the document shall be"
                  rows={6}
                  {...fields.text('user')}
                  placeholder="An invoice of Northwind Ltd for two lamps"
                />
                <TextArea
                  label="System"
                  rows={3}
                  {...fields.text('system')}
                  placeholder="Empty: the stack’s own prompt"
                />
                <MostTokensField max={16000} className="w-40" {...fields.number('maxTokens')} />
              </>
            )}
            {print.isError && <Problem error={print.error} />}
            <Button
              look="primary"
              size="large"
              icon="pdf"
              busy={print.isPending}
              disabled={isEmpty || state.stack === ''}
              onClick={() => print.mutate()}
            >
              {print.isPending ? 'Printing' : 'Print'}
            </Button>
          </FieldColumn>
        </Card>
        <Preview printed={print.data} isPending={print.isPending} />
      </div>
    </PlaygroundPage>
  );
}

function bodyOf({
  mode,
  html,
  user,
  system,
  maxTokens,
}: {
  mode: 'html' | 'instruction';
  html: string;
  user: string;
  system: string;
  maxTokens: number | null;
}) {
  if (mode === 'html') return { html };
  return {
    user,
    ...(system.trim() !== '' && { system }),
    ...(maxTokens !== null && { max_tokens: maxTokens }),
  };
}

async function printed(stack: string, body: object): Promise<Printed> {
  const begun = performance.now();
  const answer = await ask(playground(stack, '/v1/documents/generate'), { method: 'POST', json: body });
  const pdf = await answer.blob();
  const durationMs = performance.now() - begun;
  const header = (name: string) => Number(answer.headers.get(name) ?? 0);
  return {
    pdf,
    pages: await pagesOf(stack, [pdf]),
    count: header('x-pdf-pages'),
    blocked: header('x-pdf-blocked-references'),
    durationMs,
  };
}

function Preview({ printed: result, isPending }: { printed: Printed | undefined; isPending: boolean }) {
  const [link, setLink] = useState('');
  useEffect(() => {
    if (result === undefined) return;
    const url = URL.createObjectURL(result.pdf);
    setLink(url);
    return () => URL.revokeObjectURL(url);
  }, [result]);
  if (result === undefined) {
    return (
      <Card title="Preview">
        {isPending ? (
          <Loading label="Printing" rows={8} />
        ) : (
          <Empty icon="pdf" title="Nothing printed yet">
            The pages appear here as pictures, drawn by the gateway.
          </Empty>
        )}
      </Card>
    );
  }
  return (
    <Card
      flush
      title="Preview"
      actions={
        <>
          <Badge>{counted(result.count, 'page')}</Badge>
          <Badge>{formatBytes(result.pdf.size)}</Badge>
          <Badge>{formatDuration(result.durationMs)}</Badge>
          <a className={buttonClass({ size: 'small' })} href={link} download="document.pdf">
            <Icon name="download" size={14} /> Download
          </a>
        </>
      }
    >
      {result.blocked > 0 && (
        <div className="p-4">
          <Note tone="warn">
            {counted(result.blocked, 'reference was', 'references were')} not fetched: pictures, fonts and
            style sheets must be embedded.
          </Note>
        </div>
      )}
      <section
        className="flex max-h-[calc(100dvh-9rem)] flex-col gap-4 overflow-y-auto rounded-b-lg bg-sunken p-4 focus-visible:-outline-offset-2"
        tabIndex={0}
        aria-label="Pages"
      >
        {result.pages.map(({ page, image, width, height }) => (
          <img
            key={page}
            src={image}
            alt={`Page ${page}`}
            width={width}
            height={height}
            className="h-auto w-full bg-white shadow-[0_1px_4px_var(--shadow)]"
          />
        ))}
      </section>
    </Card>
  );
}
