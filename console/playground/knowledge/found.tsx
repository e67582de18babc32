import { useQuery } from '@tanstack/react-query';
import { askJson, playground } from '../../api/client.ts';
import type { List, Passage } from '../../api/types.ts';
import { Empty, Loading, Problem } from '../../ui/notes.tsx';
import { FoundPassage } from '../passage-view.tsx';

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
          <FoundPassage passage={passage} number={index + 1} />
        </li>
      ))}
    </ol>
  );
}
