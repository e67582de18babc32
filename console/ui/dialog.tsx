import { Dialog as Base } from '@base-ui/react/dialog';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { isStale } from '../api/api-error.ts';
import { Button, IconButton } from './button.tsx';
import { Problem } from './notes.tsx';

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
  readonly size?: 'usual' | 'wide' | 'huge';
}

/** The part that scrolls, between the title and the buttons. */
const SCROLLS = 'min-h-0 overflow-y-auto px-5 pt-3 pb-5';

const WIDTHS = { usual: 'max-w-md', wide: 'max-w-2xl', huge: 'max-w-6xl' } as const;

/** A window over the page. Escape and the cross close it, and focus returns to where it was. */
export function Dialog({ children, ...frame }: DialogProps) {
  return (
    <DialogFrame {...frame}>
      <div className={SCROLLS}>{children}</div>
    </DialogFrame>
  );
}

function DialogFrame({ open, onClose, title, lead, children, size = 'usual' }: DialogProps) {
  const opener = useReturnedFocus(open);
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop z-40" />
        <Base.Popup
          finalFocus={opener}
          className={`popup fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col ${WIDTHS[size]}`}
        >
          <div className="flex items-start gap-3 px-5 pt-4 pb-1">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-lg font-semibold tracking-tight wrap-anywhere">{title}</Base.Title>
              {lead !== undefined && (
                <Base.Description className="mt-0.5 text-sm text-muted">{lead}</Base.Description>
              )}
            </div>
            <Base.Close render={<IconButton label="Close" icon="close" size="small" className="-mr-1.5" />} />
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Dialogs are opened by the state of a page, not by a trigger, so who had the focus is remembered here. */
function useReturnedFocus(open: boolean): RefObject<HTMLElement | null> {
  const opener = useRef<HTMLElement | null>(null);
  const wasOpen = useRef(false);
  if (open && !wasOpen.current && document.activeElement instanceof HTMLElement) {
    opener.current = document.activeElement;
  }
  wasOpen.current = open;
  useEffect(() => {
    if (!open) return;
    const before = opener.current;
    return () => {
      requestAnimationFrame(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (isLost) before?.focus();
      });
    };
  }, [open]);
  return opener;
}

interface FormDialogProps extends DialogProps {
  readonly action: string;
  /** The purpose of the form. */
  readonly change: { readonly isPending: boolean; readonly error: unknown; readonly mutate: () => void };
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Shows the thing as it is now, after someone else has changed it. */
  readonly onReload?: () => void;
}

/** A dialog with a form in it; Enter sends it. Its buttons, and above them what the gateway refuses, are always in view. */
export function FormDialog({
  action,
  change: { isPending, error, mutate },
  danger = false,
  disabled = false,
  onReload,
  children,
  ...dialog
}: FormDialogProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending && !disabled) mutate();
  };
  return (
    <DialogFrame {...dialog}>
      <form onSubmit={submit} className="flex min-h-0 flex-col">
        {children !== undefined && <div className={`flex flex-col gap-4 ${SCROLLS}`}>{children}</div>}
        <div
          className={`flex flex-col gap-3 px-5 pb-4 ${children === undefined ? 'pt-4' : 'border-t border-line pt-3'}`}
        >
          {error !== null && error !== undefined && (
            <Problem
              error={error}
              {...(isStale(error) && { retry: onReload ?? dialog.onClose, retryLabel: 'Load it again' })}
            />
          )}
          <div className="flex justify-end gap-2">
            <Button onClick={dialog.onClose}>Cancel</Button>
            <Button type="submit" look={danger ? 'danger' : 'primary'} busy={isPending} disabled={disabled}>
              {action}
            </Button>
          </div>
        </div>
      </form>
    </DialogFrame>
  );
}
