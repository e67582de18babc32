import type { PdfEngine } from '../pdf/pdf-engine.ts';
import type { Finding } from './finding.ts';

const check = 'pdf';
// The packaged browser may have to be unpacked first.
const PRINT_MS = 120_000;
const PAGE = { html: '<p>Printed by stackgate doctor.</p>', maxPages: 1 };

/** A PDF engine that is closed after its trial. */
export type TrialPdfEngine = Pick<PdfEngine, 'print'> & { close(): Promise<void> };

/** Prints one page with the browser that the gateway would use. */
export async function checkPdf(
  openEngine: () => Promise<TrialPdfEngine>,
  signal: AbortSignal,
): Promise<Finding> {
  try {
    const engine = await openEngine();
    try {
      await engine.print(PAGE, AbortSignal.any([signal, AbortSignal.timeout(PRINT_MS)]));
    } finally {
      await engine.close();
    }
    return { check, result: 'ok', message: 'the browser printed a page' };
  } catch (error) {
    return {
      check,
      result: 'failure',
      message: `no page can be printed: ${reason(error)}`,
      remedy: 'Install chromium-headless-shell and name it in engines.pdf.executable, or see docs/pdf.md.',
    };
  }
}

/** What is told to callers says nothing of the machine; the operator wants the cause below it. */
function reason(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  if (cause instanceof Error) return reason(cause);
  return error instanceof Error ? error.message : String(error);
}
