import { CodeBlock } from './code.tsx';
import { Dialog } from './dialog.tsx';

/** All of a text that was cut. */
export function WholeText({ text, title, onClose }: { text: string; title: string; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={title} size="wide">
      <CodeBlock text={text} tall />
    </Dialog>
  );
}
