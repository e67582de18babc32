import { CodeBlock } from '../ui/code.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { type ApiRequest, asCurl } from './curl.ts';

/** The request of the page as a command. */
export function CurlDialog({ request, onClose }: { request: ApiRequest | undefined; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="The same request with curl"
      size="wide"
      lead="STACKGATE_KEY is a key of the stack. Here the request runs under the key “console”."
    >
      {request === undefined ? (
        <p className="text-sm text-muted">Fill in the form first.</p>
      ) : (
        <CodeBlock text={asCurl(request, location.origin)} tall />
      )}
    </Dialog>
  );
}
