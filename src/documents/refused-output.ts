import { Fault } from '../faults/fault.ts';

/** The output violates the schema. It is included whole; `max_tokens` bounds it. */
export function invalidOutput(problem: string, raw: string): Fault {
  return refusedOutput(`The model's output does not satisfy the schema: ${problem}.`, raw);
}

/** The data exceeds `max_tokens`. */
export function outputTooLong(
  data: object,
  { tokens, maxTokens }: { readonly tokens: number; readonly maxTokens: number },
): Fault {
  const message = `The extracted JSON has ${tokens} tokens; \`max_tokens\` allows ${maxTokens}. Raise it, split the document or trim the schema.`;
  return refusedOutput(message, JSON.stringify(data));
}

function refusedOutput(message: string, raw: string): Fault {
  return new Fault('extraction-invalid', message, { bodyMembers: { raw_output: raw } });
}
