/** Copies that one statement makes. */
const COPIES_AT_ONCE = 5;

/** Copies the stacks `small-0` … on the server, until there are `stacks`, each with spaces, documents and passages of its own. */
export async function copyStacks(client, { first, different, stacks, perStack }) {
  const copies = Math.ceil(stacks / different) - 1;
  for (let from = 1; from <= copies; from += COPIES_AT_ONCE) {
    const to = Math.min(copies, from + COPIES_AT_ONCE - 1);
    for (const statement of statements({ first, different, perStack, from, to }))
      await client.query(statement);
  }
}

// A copy has numbers that are by a multiple higher, and names and ids that end with the number of the copy.
function statements({ first, different, perStack, from, to }) {
  const copy = `generate_series(${from}, ${to}) copy`;
  const stackId = (column) => `'small-' || (split_part(${column}, '-', 2)::integer + copy * ${different})`;
  const isOriginal = (column) =>
    `split_part(${column}, '-', 2)::integer < ${different} and ${column} like 'small-%'`;
  const documentId = (column) => `'doc_' || md5(${column} || copy)`;
  const spaces = 2 * different;
  const documents = perStack * different;
  const inSpaces = `space >= ${first.spaces} and space < ${first.spaces + spaces}`;
  return [
    `insert into stacks (id, account_id, plan, image_plan, limits, declared)
       select ${stackId('id')}, account_id, plan, image_plan, limits, declared
       from ${copy}, stacks where ${isOriginal('id')}`,
    `insert into knowledge_search.spaces (number, stack_id, model, dimensions) overriding system value
       select number + copy * ${spaces}, ${stackId('stack_id')}, model, dimensions
       from ${copy}, knowledge_search.spaces where ${isOriginal('stack_id')}`,
    `insert into knowledge_documents (id, stack_id, name, declared, blob, sha256, size_bytes, state, searchable_version, chunks, embedding_model)
       select ${documentId('id')}, ${stackId('stack_id')}, name, declared, ${documentId('id')}, sha256, size_bytes, state, searchable_version, chunks, embedding_model
       from ${copy}, knowledge_documents where ${isOriginal('stack_id')}`,
    `insert into knowledge_search.passages (space, document, ordinal, length, words)
       select space + copy * ${spaces}, document + copy * ${documents}, ordinal, length, words
       from ${copy}, knowledge_search.passages where ${inSpaces}`,
    `insert into knowledge_search.vectors (space, document, ordinal, place, vector)
       select space + copy * ${spaces}, document + copy * ${documents}, ordinal, place, vector
       from ${copy}, knowledge_search.vectors where ${inSpaces}`,
    `insert into knowledge_chunks (document_id, version, ordinal, text, headings, embedding_model)
       select ${documentId('document_id')}, version, ordinal, text, headings, embedding_model
       from ${copy}, knowledge_chunks where document_id in (
         select document_id from knowledge_search.documents where ${isOriginal('stack_id')})`,
    `insert into knowledge_search.documents (number, stack_id, document_id, version, language, passages, terms, model, filled_model, is_complete, is_live)
       overriding system value
       select number + copy * ${documents}, ${stackId('stack_id')}, ${documentId('document_id')}, version, language, passages, terms, model, filled_model, is_complete, is_live
       from ${copy}, knowledge_search.documents where ${isOriginal('stack_id')}`,
  ];
}
