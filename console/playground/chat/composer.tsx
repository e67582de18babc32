import { Button, IconButton } from '../../ui/button.tsx';

const MOST_LINES = 8;

interface ComposerProps {
  readonly draft: string;
  readonly onDraft: (text: string) => void;
  readonly isRunning: boolean;
  readonly canSend: boolean;
  readonly canClear: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
  readonly onClear: () => void;
}

/** Where the next message is written. */
export function Composer(props: ComposerProps) {
  const { draft, onDraft, isRunning, canSend, canClear, onSend, onStop, onClear } = props;
  const send = () => {
    if (canSend && !isRunning) onSend();
  };
  return (
    <form
      className="m-3 flex flex-col gap-1 rounded-lg border border-line-strong bg-canvas p-1.5 focus-within:border-transparent focus-within:outline-2 focus-within:outline-accent"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        aria-label="Message"
        rows={Math.min(MOST_LINES, Math.max(1, draft.split('\n').length))}
        className="w-full resize-none bg-transparent px-2 py-1.5 text-base outline-none"
        placeholder="Message"
        title="Enter sends, Shift Enter is a new line"
        value={draft}
        onChange={(event) => onDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div className="flex items-center gap-2">
        <IconButton label="Begin anew" icon="trash" disabled={!canClear} onClick={onClear} />
        <span className="ml-auto hidden text-xs text-faint sm:inline">Enter sends</span>
        {isRunning ? (
          <Button icon="stop" onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button type="submit" look="primary" icon="send" disabled={!canSend} className="max-sm:ml-auto">
            Send
          </Button>
        )}
      </div>
    </form>
  );
}
