import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useStacks } from '../api/resources.ts';
import { useSession } from '../api/session.ts';
import { StackPicker } from '../pages/stack-picker.tsx';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/notes.tsx';
import { Page } from '../ui/page.tsx';
import type { ApiRequest } from './curl.ts';

const CurlDialog = lazy(() => import('./curl-dialog.tsx').then((module) => ({ default: module.CurlDialog })));

interface PlaygroundPageProps {
  readonly title: string;
  readonly lead: string;
  readonly stack: string;
  /** Changes the state of the page; the same function at every render. */
  readonly change: (next: { stack: string }) => void;
  /** The request that the page would send now; undefined: the form is not complete. */
  readonly request: () => ApiRequest | undefined;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the playground: runs as a stack, and shows its request as a command. */
export function PlaygroundPage({
  title,
  lead,
  stack,
  change,
  request,
  actions,
  children,
}: PlaygroundPageProps) {
  const [shows, setShows] = useState(false);
  const session = useSession();
  const stacks = useStacks();
  const first = stacks.data?.find(({ disabled_at }) => disabled_at === null)?.id;
  useEffect(() => {
    if (stack === '' && first !== undefined) change({ stack: first });
  }, [stack, first, change]);
  return (
    <Page
      wide
      title={title}
      lead={lead}
      actions={
        <>
          {actions}
          {session.role !== 'member' && (
            <StackPicker value={stack} onChange={(next) => change({ stack: next })} />
          )}
          <Button icon="terminal" onClick={() => setShows(true)}>
            As curl
          </Button>
        </>
      }
    >
      {session.playground === false && (
        <Note tone="info">You may look around here. Running something needs another role.</Note>
      )}
      {children}
      {shows && (
        <Suspense>
          <CurlDialog request={request()} onClose={() => setShows(false)} />
        </Suspense>
      )}
    </Page>
  );
}
