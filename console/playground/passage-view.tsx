import type { Passage, Source } from '../api/types.ts';
import { Icon } from '../ui/icon.tsx';

/** A passage that a search found, with everything that is known of it. */
export function FoundPassage({ passage, number }: { passage: Passage; number: number }) {
  return (
    <>
      <Head passage={passage} mark={`${number}.`} />
      {passage.headings.length > 0 && <p className="text-xs text-muted">{passage.headings.join(' › ')}</p>}
      <Text passage={passage} />
      <p className="tabular mt-1.5 text-xs text-faint">
        words {passage.words.toFixed(3)} · meaning{' '}
        {passage.meaning === null ? '–' : passage.meaning.toFixed(3)} · fused {passage.fused.toFixed(3)}
      </p>
    </>
  );
}

/** The passages that an answer was drawn from; each opens to its text. */
export function Sources({ passages }: { passages: readonly Source[] }) {
  return (
    <div className="mt-2">
      <p className="mb-1 text-xs font-medium text-muted">Sources</p>
      <ol aria-label="Sources" className="divide-y divide-line rounded-lg border border-line">
        {passages.map((passage, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list of an answer never changes
          <li key={index}>
            <details className="group/source">
              <summary className="block rounded-lg px-3 py-2 hover:bg-hover focus-visible:-outline-offset-2">
                <Head
                  passage={passage}
                  mark={
                    <Icon
                      name="right"
                      size={13}
                      className="translate-y-0.5 transition-transform group-open/source:rotate-90"
                    />
                  }
                />
              </summary>
              <div className="px-3 pb-3">
                <Text passage={passage} />
              </div>
            </details>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Head({ passage: { document, page, score }, mark }: { passage: Source; mark: React.ReactNode }) {
  return (
    <span className="flex items-baseline gap-2 text-sm">
      <span className="tabular shrink-0 text-faint">{mark}</span>
      <span className="min-w-0 flex-1">
        <span className="font-medium wrap-anywhere">{document}</span>
        {page !== null && <span className="whitespace-nowrap text-muted"> page {page}</span>}
      </span>
      <span className="tabular shrink-0 text-xs text-muted" title="How likely it is an answer">
        score {score.toFixed(3)}
      </span>
    </span>
  );
}

function Text({ passage }: { passage: Source }) {
  return <p className="mt-1.5 text-sm whitespace-pre-wrap wrap-anywhere">{passage.text}</p>;
}
