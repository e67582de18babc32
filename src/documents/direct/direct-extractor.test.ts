import { describe, expect, it } from 'vitest';
import { makeCaller } from '../../../testing/fake-callers.ts';
import { FakeMeter } from '../../../testing/fake-meter.ts';
import { FakeTextEngine, textAnswer } from '../../../testing/text/fake-text-engine.ts';
import { textService } from '../../../testing/text/text-service.ts';
import { emptyPage } from '../../reading/page-text.ts';
import { DirectExtractor } from './direct-extractor.ts';

const never = new AbortController().signal;
const proposals = '/total: 12.5 (0.98)';

/** The data, and the prompts of the model. */
async function extract({ window, told }: { readonly window: number; readonly told: string | undefined }) {
  const engine = new FakeTextEngine();
  engine.script = textAnswer('{"total": 12.5}');
  engine.contextWindow = window;
  engine.countFor = ({ turns }) => JSON.stringify(turns).length;
  const extractor = new DirectExtractor({
    text: textService([['gpu', engine]]),
    schemas: { validate: async () => [] },
    proposalsFor: async () => told,
  });
  const { data } = await extractor.extract(
    {
      caller: makeCaller(),
      meter: new FakeMeter(),
      engine,
      documents: [{ name: 'a.pdf', ocrUsed: false, pages: [{ ...emptyPage, text: 'Total 12.50' }] }],
      schema: { type: 'object' },
      system: undefined,
      user: undefined,
      maxTokens: 100,
      showsSchema: true,
      leisure: never,
      hurry: never,
    },
    never,
  );
  return { data, asked: JSON.stringify(engine.asked) };
}

describe('a direct extraction with proposals of the field finder', () => {
  it('tells them to the model after the documents', async () => {
    const { data, asked } = await extract({ window: 10_000, told: proposals });
    expect(data).toEqual({ total: 12.5 });
    expect(asked).toMatch(/\[End of file 1\].*may be wrong.*\/total: 12\.5 \(0\.98\)/);
  });

  it('leaves them out where only the documents fit the window', async () => {
    const { data, asked } = await extract({ window: 1_000, told: proposals.padEnd(2_000) });
    expect(data).toEqual({ total: 12.5 });
    expect(asked).not.toContain('/total: 12.5');
  });

  it('says nothing of them where there are none', async () => {
    expect((await extract({ window: 10_000, told: undefined })).asked).not.toContain('may be wrong');
  });
});
