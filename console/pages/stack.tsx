import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { useStack } from '../api/resources.ts';
import { mayChange, useSession } from '../api/session.ts';
import type { Limit, Stack } from '../api/types.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Clipped } from '../ui/clipped.tsx';
import { type Fact, Facts } from '../ui/facts.tsx';
import { capitalised, formatNumber, sentence } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { Empty, Loading, Note, Problem } from '../ui/notes.tsx';
import { Card, Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { NewKey } from './key-dialogs.tsx';
import { KeysOfShown } from './keys.tsx';
import { DisableStack, EditStack, useEnableStack } from './stack-dialogs.tsx';
import { StackMarks } from './stacks.tsx';

/** A window that is open, with the stack as it was seen when it was opened. */
type Doing =
  | { readonly what: 'edit' | 'disable'; readonly stack: Stack }
  | { readonly what: 'new-key'; readonly stack?: undefined };

/** One stack: what it is, what it may, and its keys. */
export function StackPage() {
  const { id = '' } = useParams<{ id: string }>();
  const stack = useStack(id);
  const session = useSession();
  const [doing, setDoing] = useState<Doing>();
  const end = () => setDoing(undefined);
  const reload = async () => {
    const { data } = await stack.refetch();
    if (data !== undefined) setDoing({ what: 'edit', stack: data });
  };
  const mine = stack.data?.editable === true && mayChange(session, 'stacks') ? stack.data : undefined;
  return (
    <Page
      title={id}
      lead={
        <Link
          href="/stacks"
          className="inline-flex items-center gap-1 rounded-sm hover:text-ink hover:underline"
        >
          <Icon name="left" size={13} /> All stacks
        </Link>
      }
      actions={
        stack.data !== undefined && (
          <>
            <LinkButton href={`/usage#stack=${encodeURIComponent(id)}`} icon="usage">
              Usage
            </LinkButton>
            <LinkButton href={`/playground/chat#stack=${encodeURIComponent(id)}`} icon="chat">
              Try it
            </LinkButton>
            {mine?.disabled_at === null && (
              <>
                <Button look="danger" onClick={() => setDoing({ what: 'disable', stack: mine })}>
                  Disable
                </Button>
                <Button look="primary" icon="edit" onClick={() => setDoing({ what: 'edit', stack: mine })}>
                  Edit
                </Button>
              </>
            )}
          </>
        )
      }
    >
      {stack.isError && <Problem error={stack.error} retry={() => void stack.refetch()} />}
      {stack.isPending && <Loading rows={6} />}
      {stack.data !== undefined && (
        <>
          {!stack.data.editable && stack.data.not_editable_because !== null && (
            <Note tone="info">{sentence(stack.data.not_editable_because)}</Note>
          )}
          {stack.data.disabled_at !== null && <Disabled stack={stack.data} mayEnable={mine !== undefined} />}
          <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
            <Card title="About" flush>
              <Facts inset rows={factsOf(stack.data)} />
            </Card>
            <Limits limits={stack.data.currentLimits} />
          </div>
          <KeysOfShown
            stack={id}
            whenEmpty={
              mayChange(session, 'keys') && (
                <Button size="small" icon="plus" onClick={() => setDoing({ what: 'new-key' })}>
                  New key
                </Button>
              )
            }
          />
          {doing?.what === 'new-key' && <NewKey stack={id} onClose={end} />}
          {doing?.what === 'edit' && (
            <EditStack
              key={doing.stack.etag}
              stack={doing.stack}
              onClose={end}
              onReload={() => void reload()}
            />
          )}
          {doing?.what === 'disable' && <DisableStack stack={doing.stack} onClose={end} />}
        </>
      )}
    </Page>
  );
}

/** Says that nothing is answered, and leads out of it. */
function Disabled({ stack, mayEnable }: { stack: Stack; mayEnable: boolean }) {
  const enable = useEnableStack(stack);
  return (
    <>
      <Note
        tone="warn"
        action={
          mayEnable && (
            <Button size="small" busy={enable.isPending} onClick={() => enable.mutate()}>
              Enable
            </Button>
          )
        }
      >
        This stack is disabled: all its keys are refused. What is stored of it is still there.
      </Note>
      {enable.isError && <Problem error={enable.error} />}
    </>
  );
}

function factsOf(stack: Stack): readonly Fact[] {
  const engines = typeof stack.text === 'string' ? stack.text : stack.text?.join(', then ');
  return [
    ['Account', stack.account],
    ['Plan', capitalised(stack.plan)],
    ['State', <StackMarks key="marks" stack={stack} />],
    ['Text engine', engines || 'the first one'],
    ['Image engine', stack.image ?? (stack.image_plan ? 'the first one' : 'none: not on the image plan')],
    ['Models', stack.models?.join(', ') || 'all of its engine'],
    ['Temperature', stack.temperature == null ? 'as usual' : formatNumber(stack.temperature)],
    [
      'System prompt',
      stack.system_prompt ? (
        <Clipped key="prompt" text={stack.system_prompt} title="System prompt" most={140} />
      ) : (
        <span key="none" className="text-faint">
          none
        </span>
      ),
    ],
    ['Created', <Time key="created" at={stack.created_at} />],
    ['Changed', <Time key="changed" at={stack.updated_at} />],
  ];
}

function Limits({ limits }: { limits: readonly Limit[] }) {
  const shown = limits.filter(({ limit }) => limit !== null);
  return (
    <Card title="Limits" flush>
      {shown.length === 0 && <Empty icon="check" title="No limits" />}
      <ul className="divide-y divide-line">
        {shown.map((limit) => (
          <LimitRow key={`${limit.scope} ${limit.name}`} limit={limit} />
        ))}
      </ul>
    </Card>
  );
}

const ABBREVIATIONS: Readonly<Record<string, string>> = { pdf: 'PDF', html: 'HTML' };

/** `pdf.html_bytes` as "PDF: HTML bytes". */
function limitTitle(name: string): string {
  const words = name.replaceAll('_', ' ').replace('.', ': ');
  return capitalised(words.replace(/\b(pdf|html)\b/g, (word) => ABBREVIATIONS[word] ?? word));
}

function LimitRow({ limit: { name, scope, limit, used } }: { limit: Limit }) {
  const most = limit ?? 0;
  return (
    <li className="px-4 py-2 text-sm">
      <div className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate">
          {limitTitle(name)}
          {scope === 'account' && <span className="text-muted"> of the account</span>}
        </span>
        <span className="tabular whitespace-nowrap">
          {used !== null && <span className="text-muted">{formatNumber(used)} of </span>}
          {formatNumber(most)}
        </span>
      </div>
      {used !== null && (
        <div aria-hidden="true" className="mt-1.5 h-1 overflow-hidden rounded-full bg-sunken">
          <div
            className={`h-full rounded-full ${used >= most ? 'bg-bar-bad' : used > 0.8 * most ? 'bg-bar-warn' : 'bg-bar'}`}
            style={{ width: `${Math.min(100, (100 * used) / Math.max(1, most))}%` }}
          />
        </div>
      )}
    </li>
  );
}
