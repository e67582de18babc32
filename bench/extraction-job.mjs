/** Counts nothing. */
export const noMeter = { reserveTokens() {}, add() {}, servedBy() {} };
const never = new AbortController().signal;

/** An extraction of one document without a gateway. */
export function extractionJob({ name, pages, schema, engine, maxTokens }) {
  return {
    caller: { stack: { id: 'bench', systemPrompt: undefined } },
    meter: noMeter,
    engine: engine ?? { countTokens: async () => 0 },
    documents: [{ name, ocrUsed: false, pages }],
    schema,
    system: undefined,
    user: undefined,
    maxTokens,
    showsSchema: true,
    leisure: never,
    hurry: never,
  };
}
