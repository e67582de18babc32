const never = new AbortController().signal;

/** An extractor that takes what the field finder's network says, without rules, formats or a model. */
export async function networkAlone(finder) {
  const { planSchema } = await import('../dist/documents/grounded/plan/plan-schema.js');
  const { askFields } = await import('../dist/documents/grounded/plan/ask-fields.js');
  const { sourceFiles } = await import('../dist/documents/grounded/read/source-text.js');
  const { readEvidence } = await import('../dist/documents/grounded/read/evidence.js');
  const { askNetwork, joinedField } = await import('../dist/documents/grounded/propose/network-answers.js');
  const { networkList } = await import('../dist/documents/grounded/propose/network-lists.js');
  const { spanValue } = await import('../dist/documents/grounded/propose/cell-value.js');
  const { assemble, dataOf } = await import('../dist/documents/grounded/fill/assemble.js');
  const { confidenceOf } = await import('../dist/documents/grounded/check/provenance.js');
  const { pointerOf } = await import('../dist/documents/json-pointer.js');
  const sourcesOf = (values) => new Map(values.map(([{ path }, found]) => [pointerOf(path), found]));
  return {
    async extract({ documents, schema }, signal) {
      const plan = planSchema(schema);
      const files = sourceFiles(documents);
      const evidence = readEvidence(files);
      const asked = askFields(plan);
      const pages = await askNetwork(asked, files, { finder, stackId: 'bench', leisure: never, signal });
      const values = asked.fields.flatMap((field) => {
        const { isTold = false, spans: [span] = [] } = joinedField(pages, field) ?? {};
        const read = evidence.find(({ file }) => file === span?.file);
        const value = isTold && read !== undefined ? spanValue(field, span.text, read.context) : undefined;
        return value === undefined ? [] : [[field, { value, probability: span.probability }]];
      });
      const lists = asked.lists.flatMap((list) => {
        const found = networkList(list, pages, evidence);
        return found === undefined ? [] : [[list, found]];
      });
      const findings = {
        values: new Map(values),
        lists: new Map(lists),
        none: new Map(),
        refused: new Set(),
      };
      const data = dataOf(assemble(plan, findings)) ?? {};
      return { data, confidence: confidenceOf(data, sourcesOf(values)) };
    },
  };
}
