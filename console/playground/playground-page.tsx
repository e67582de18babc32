import { type ReactNode, useEffect, useState } from 'react';
import { useStacks } from '../api/resources.ts';
import { useSession } from '../api/session.ts';
import { StackPicker } from '../pages/stack-picker.tsx';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Note } from '../ui/notes.tsx';
import { Page } from '../ui/page.tsx';
import { type ApiRequest, asCurl } from './curl.ts';

interface PlaygroundPageProps {
  readonly title: string;
  readonly stack: string;
  readonly onStack: (stack: string) => void;
  /** The request that the page would send now. */
  readonly request: () => ApiRequest | undefined;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the playground: runs as a stack, and shows its request as a command. */
export function PlaygroundPage({ title, stack, onStack, request, actions, children }: PlaygroundPageProps) {
  const [shows, setShows] = useState(false);
  const session = useSession();
  const stacks = useStacks();
  const first = stacks.data?.find(({ disabled_at }) => disabled_at === null)?.id;
  useEffect(() => {
    if (stack === '' && first !== undefined) onStack(first);
  }, [stack, first, onStack]);
  const asked = shows ? request() : undefined;
  return (
    <Page
      wide
      title={title}
      actions={
        <>
          {actions}
          {session.role !== 'member' && <StackPicker value={stack} onChange={onStack} />}
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
      <Dialog
        open={shows}
        onClose={() => setShows(false)}
        title="The same request with curl"
        size="wide"
        lead="STACKGATE_KEY is a key of the stack. Here the request runs under the key “console”."
      >
        {asked === undefined ? (
          <p className="text-sm text-muted">Fill in the form first.</p>
        ) : (
          <CodeBlock text={asCurl(asked, location.origin)} tall />
        )}
      </Dialog>
    </Page>
  );
}
