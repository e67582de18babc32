import type { PdfEngine } from '../pdf/pdf-engine.ts';
import type { Finding } from './finding.ts';

const check = 'pdf';
// The packaged browser may have to be unpacked first.
const PRINT_MS = 120_000;
const PAGE = { html: '<p>Printed by stackgate doctor.</p>', maxPages: 1 };

/** A PDF engine for one print. */
export type TrialPdfEngine = Pick<PdfEngine, 'print'> & {
  /** The browser's protection; absent before it was started. */
  readonly rung: { readonly name: string; readonly isSandboxed: boolean } | undefined;
  close(): Promise<void>;
};

/** Prints one page with the browser the gateway would use. */
export async function checkPdf(
  openEngine: () => Promise<TrialPdfEngine>,
  signal: AbortSignal,
): Promise<Finding> {
  try {
    const engine = await openEngine();
    try {
      await engine.print(PAGE, AbortSignal.any([signal, AbortSignal.timeout(PRINT_MS)]));
      return printed(engine.rung);
    } finally {
      await engine.close();
    }
  } catch (error) {
    return {
      check,
      result: 'failure',
      message: `no page can be printed: ${reason(error)}`,
      remedy:
        'Install chromium-headless-shell and name it in engines.pdf.executable, or see docs/pdf.md about the browser and its sandbox.',
    };
  }
}

function printed(rung: TrialPdfEngine['rung']): Finding {
  const message = `the browser printed a page (${rung?.name})`;
  if (rung?.isSandboxed === true) return { check, result: 'ok', message };
  return {
    check,
    result: 'warning',
    message,
    remedy:
      'Allow the browser its sandbox as docs/pdf.md says; engines.pdf.sandbox: required refuses to print without it.',
  };
}

/** Messages for callers hide details of the machine; the operator needs the causes. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : causes(error.cause).join(': ');
}

function causes(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error)];
  return error.cause === undefined ? [error.message] : [error.message, ...causes(error.cause)];
}
