import { CodeBlock } from './code.tsx';
import { Dialog } from './dialog.tsx';

/** The full text of a truncated one. */
export function WholeText({ text, title, onClose }: { text: string; title: string; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={title} size="wide">
      <CodeBlock text={text} tall />
    </Dialog>
  );
}
