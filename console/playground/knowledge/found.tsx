import { useQuery } from '@tanstack/react-query';
import { askJson, playground } from '../../api/client.ts';
import type { List, Passage } from '../../api/types.ts';
import { Empty, Loading, Problem } from '../../ui/notes.tsx';

export const PASSAGES = 8;

/** The passages that a question finds in the documents of a stack. */
export function Found({ stack, question }: { stack: string; question: string }) {
  const found = useQuery({
    queryKey: ['search', stack, question],
    queryFn: ({ signal }) =>
      askJson<List<Passage>>(playground(stack, '/v1/knowledge/search'), {
        method: 'POST',
        json: { query: question, limit: PASSAGES },
        signal,
      }),
    enabled: stack !== '' && question.trim() !== '',
    retry: false,
  });
  if (question.trim() === '')
    return (
      <Empty icon="search" title="Ask as a user would">
        The passages that an answer would be drawn from appear here, with their scores.
      </Empty>
    );
  if (found.isError) return <Problem inset error={found.error} />;
  if (found.data === undefined) return <Loading />;
  if (found.data.data.length === 0) return <Empty icon="search" title="Nothing was found" />;
  return (
    <ol className="divide-y divide-line">
      {found.data.data.map((passage, index) => (
        <li key={`${passage.document_id} ${passage.text.slice(0, 40)} ${passage.fused}`} className="p-4">
          <div className="flex flex-wrap items-baseline gap-x-2 text-sm">
            <span className="tabular text-faint">{index + 1}.</span>
            <span className="font-medium wrap-anywhere">{passage.document}</span>
            {passage.page !== null && <span className="text-muted">page {passage.page}</span>}
            <span className="tabular ml-auto text-xs text-muted" title="How likely it is an answer">
              score {passage.score.toFixed(3)}
            </span>
          </div>
          {passage.headings.length > 0 && (
            <p className="text-xs text-muted">{passage.headings.join(' › ')}</p>
          )}
          <p className="mt-1.5 text-sm whitespace-pre-wrap wrap-anywhere">{passage.text}</p>
          <p className="tabular mt-1.5 text-xs text-faint">
            words {passage.words.toFixed(3)} · meaning{' '}
            {passage.meaning === null ? '–' : passage.meaning.toFixed(3)} · fused {passage.fused.toFixed(3)}
          </p>
        </li>
      ))}
    </ol>
  );
}
