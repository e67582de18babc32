import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, askJson } from '../api/client.ts';
import { useCaptures, useKeys } from '../api/resources.ts';
import { useSession } from '../api/session.ts';
import type { Capture, CapturedBody } from '../api/types.ts';
import { useChange } from '../api/use-change.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { CodeBlock } from '../ui/code.tsx';
import { Dialog, FormDialog } from '../ui/dialog.tsx';
import { useForm } from '../ui/form.ts';
import { counted, formatBytes } from '../ui/format.ts';
import { Empty, Loading, Note, Problem } from '../ui/notes.tsx';
import { Time } from '../ui/time.tsx';
import { StackPicker } from './stack-picker.tsx';

function useMayCapture(): boolean {
  const session = useSession();
  return session.read_only !== true && session.role !== 'read-only';
}

/** Captures that run now, for everyone to see. */
export function Captures() {
  const captures = useCaptures();
  const mayCapture = useMayCapture();
  const [shown, setShown] = useState<Capture>();
  return (
    <>
      {(captures.data?.data ?? []).map((capture) => (
        <Note
          key={capture.id}
          tone="warn"
          action={
            mayCapture && (
              <span className="flex gap-2">
                <Button size="small" onClick={() => setShown(capture)}>
                  Show
                </Button>
                <StopCapture capture={capture} />
              </span>
            )
          }
        >
          Bodies of{' '}
          <strong>
            {capture.stack}/{capture.key}
          </strong>{' '}
          {capture.active ? 'are captured' : 'were captured'} by {capture.by} until{' '}
          <Time at={capture.ends_at} form="clock" />. {counted(capture.requests, 'request')} so far.
        </Note>
      ))}
      {shown !== undefined && <ShowCapture capture={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

/** The way to begin a capture, for those who may. */
export function BeginCaptureButton({ stack }: { stack: string }) {
  const [begins, setBegins] = useState(false);
  if (!useMayCapture()) return null;
  return (
    <>
      <Button icon="record" onClick={() => setBegins(true)}>
        Capture bodies
      </Button>
      {begins && <BeginCapture stack={stack} onClose={() => setBegins(false)} />}
    </>
  );
}

function StopCapture({ capture }: { capture: Capture }) {
  const stop = useChange({
    send: () => ask(`/captures/${encodeURIComponent(capture.id)}`, { method: 'DELETE' }),
    touches: ['captures'],
  });
  return (
    <Button size="small" look="danger" busy={stop.isPending} onClick={() => stop.mutate()}>
      Stop
    </Button>
  );
}

const MINUTES = ['1', '5', '15'].map((value) => ({ value, label: counted(Number(value), 'minute') }));

function BeginCapture({ stack, onClose }: { stack: string; onClose: () => void }) {
  const { form, change, fields } = useForm({ stack, key: '', minutes: '5' });
  const keys = useKeys({ stack: form.stack, q: '' });
  const options =
    form.stack === ''
      ? []
      : (keys.data ?? [])
          .filter(({ state, id }) => state === 'active' && id !== 'console')
          .map(({ id }) => ({ value: id, label: id }));
  const begin = useChange({
    send: () =>
      askJson<Capture>('/captures', { method: 'POST', json: { ...form, minutes: Number(form.minutes) } }),
    touches: ['captures'],
    onDone: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Capture bodies"
      lead="Prompts and answers of one key are kept in memory until the time is over. Everyone sees that, and it is written into the audit."
      action="Begin"
      change={begin}
      disabled={form.stack === '' || form.key === ''}
    >
      <StackPicker wide value={form.stack} onChange={(next) => change({ stack: next, key: '' })} />
      <Choice
        label="Key"
        {...fields.choice('key')}
        options={[
          { value: '', label: 'Choose a key' },
          { value: 'console', label: 'console', note: 'requests of the playground' },
          ...options,
        ]}
      />
      <Choice label="For" options={MINUTES} {...fields.choice('minutes')} />
    </FormDialog>
  );
}

function ShowCapture({ capture, onClose }: { capture: Capture; onClose: () => void }) {
  const whole = useQuery({
    queryKey: ['captures', capture.id],
    queryFn: ({ signal }) => askJson<Capture>(`/captures/${encodeURIComponent(capture.id)}`, { signal }),
    refetchInterval: 3000,
  });
  const requests = whole.data?.entries ?? [];
  return (
    <Dialog open onClose={onClose} title={`Captured of ${capture.stack}/${capture.key}`} size="huge">
      {whole.isPending && <Loading />}
      {whole.isError && <Problem error={whole.error} />}
      {whole.data !== undefined && requests.length === 0 && (
        <Empty icon="record" title="Nothing yet">
          The next request of the key appears here.
        </Empty>
      )}
      <div className="flex flex-col gap-3">
        {requests.map((request) => (
          <details key={request.id} className="rounded-md border border-line">
            <summary className="flex items-center gap-2 px-3 py-2 text-sm">
              <Badge tone={request.status === null ? 'plain' : request.status >= 400 ? 'warn' : 'good'}>
                {request.status ?? 'running'}
              </Badge>
              <span className="font-mono text-xs">
                {request.method} {request.endpoint}
              </span>
              <span className="ml-auto text-muted">
                <Time at={request.at} form="clock" />
              </span>
            </summary>
            <div className="grid gap-3 border-t border-line p-3 md:grid-cols-2">
              <Body title="Request" body={request.request} />
              <Body title="Answer" body={request.answer} />
            </div>
          </details>
        ))}
      </div>
    </Dialog>
  );
}

function Body({ title, body }: { title: string; body: CapturedBody }) {
  return (
    <div className="min-w-0">
      <p className="mb-1 text-xs font-medium text-muted">
        {title}, {formatBytes(body.bytes)}
        {body.truncated && ', cut'}
      </p>
      <CodeBlock language="json" text={body.text ?? '(no text)'} />
    </div>
  );
}
