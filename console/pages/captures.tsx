import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, askJson } from '../api/client.ts';
import { useCaptures, useKeys } from '../api/resources.ts';
import { useSession } from '../api/session.ts';
import type { Capture, CapturedBody } from '../api/types.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { CodeBlock } from '../ui/code.tsx';
import { Dialog, FormDialog } from '../ui/dialog.tsx';
import { counted, formatBytes } from '../ui/format.ts';
import { Empty, Loading, Note, Problem } from '../ui/notes.tsx';
import { Time } from '../ui/time.tsx';
import { StackPicker } from './stack-picker.tsx';

/** Captures that run now, for everyone to see, and the way to begin one. */
export function Captures({ stack }: { stack: string }) {
  const captures = useCaptures();
  const session = useSession();
  const mayCapture = session.read_only !== true && session.role !== 'read-only';
  const [begins, setBegins] = useState(false);
  const [shown, setShown] = useState<Capture>();
  const known = captures.data?.data ?? [];
  return (
    <>
      {known.map((capture) => (
        <Note
          key={capture.id}
          tone="warn"
          action={
            <span className="flex gap-2">
              {mayCapture && (
                <Button size="small" onClick={() => setShown(capture)}>
                  Show
                </Button>
              )}
              {mayCapture && <StopCapture capture={capture} />}
            </span>
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
      {mayCapture && (
        <div className="flex flex-wrap items-center justify-between gap-2 text-sm text-muted">
          <span>
            Only metadata is shown. Bodies are captured by an explicit choice, for one key, and everyone sees
            it.
          </span>
          <Button size="small" icon="record" onClick={() => setBegins(true)}>
            Capture bodies
          </Button>
        </div>
      )}
      {begins && <BeginCapture stack={stack} onClose={() => setBegins(false)} />}
      {shown !== undefined && <ShowCapture capture={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

function StopCapture({ capture }: { capture: Capture }) {
  const client = useQueryClient();
  const stop = useMutation({
    mutationFn: () => ask(`/captures/${encodeURIComponent(capture.id)}`, { method: 'DELETE' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['captures'] }),
  });
  return (
    <Button size="small" look="danger" busy={stop.isPending} onClick={() => stop.mutate()}>
      Stop
    </Button>
  );
}

const MINUTES = ['1', '5', '15'].map((value) => ({ value, label: counted(Number(value), 'minute') }));

function BeginCapture({ stack: first, onClose }: { stack: string; onClose: () => void }) {
  const client = useQueryClient();
  const [stack, setStack] = useState(first);
  const [key, setKey] = useState('');
  const [minutes, setMinutes] = useState('5');
  const keys = useKeys({ stack, q: '' });
  const options =
    stack === ''
      ? []
      : (keys.data ?? [])
          .filter(({ state }) => state === 'active')
          .map(({ id }) => ({ value: id, label: id }));
  const begin = useMutation({
    mutationFn: () =>
      askJson<Capture>('/captures', { method: 'POST', json: { stack, key, minutes: Number(minutes) } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['captures'] });
      onClose();
    },
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Capture bodies"
      lead="Prompts and answers of one key are kept in memory until the time is over. It is written into the audit."
      action="Begin"
      busy={begin.isPending}
      error={begin.error}
      onSubmit={() => begin.mutate()}
      disabled={stack === '' || key === ''}
    >
      <StackPicker
        labelHidden={false}
        value={stack}
        onChange={(next) => {
          setStack(next);
          setKey('');
        }}
      />
      <Choice
        label="Key"
        value={key}
        onChange={setKey}
        options={[
          { value: '', label: 'Choose a key' },
          { value: 'console', label: 'console', note: 'requests of the playground' },
          ...options.filter(({ value }) => value !== 'console'),
        ]}
      />
      <Choice label="For" value={minutes} onChange={setMinutes} options={MINUTES} />
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
