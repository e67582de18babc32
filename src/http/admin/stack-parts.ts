import { z } from 'zod';
import type { Operator } from '../../access/operator.ts';
import { Fault } from '../../faults/fault.ts';
import { limitList, limitListSchema } from '../limit-list.ts';
import type { RouteParameter } from '../route.ts';
import { listSchema, readPage } from './admin-page.ts';
import type { AdminSources } from './admin-sources.ts';
import { keyPage } from './keys.ts';
import { keySchema } from './stack-object.ts';

const PARTS = ['keys', 'limits'] as const;
type Part = (typeof PARTS)[number];

/** Parts of a stack that are answered together with it. */
export const stackPartsSchema = z.object({
  keys: listSchema(keySchema).optional(),
  limits: limitListSchema.shape.data.optional(),
});

/** The parameters that ask for them. */
export const stackPartParameters: readonly RouteParameter[] = [
  {
    name: 'include',
    meaning: `What to answer in \`included\` with the stack: ${PARTS.join(', ')}; several with commas.`,
  },
  { name: 'limit', meaning: 'How many of the keys, 1 to 200; 50 when absent.' },
  { name: 'cursor', meaning: 'The `next_cursor` of the keys before.' },
];

/** Reads the parts that a request asks for; `undefined`: none. */
export function readStackParts(query: URLSearchParams): readonly Part[] | undefined {
  const names = query.getAll('include').flatMap((text) => text.split(','));
  const parts = names.filter((name) => name.trim() !== '').map(partOf);
  return parts.length === 0 ? undefined : parts;
}

function partOf(text: string): Part {
  const part = PARTS.find((known) => known === text.trim());
  if (part !== undefined) return part;
  const message = `\`include\` must be one or more of ${PARTS.join(', ')}, got "${text.slice(0, 50)}".`;
  throw new Fault('invalid-request', message, { param: 'include' });
}

interface AskedParts {
  readonly stackId: string;
  readonly operator: Operator;
  readonly query: URLSearchParams;
}

/** The parts of a stack. */
export async function findStackParts(
  sources: AdminSources,
  parts: readonly Part[],
  { stackId, operator, query }: AskedParts,
): Promise<z.infer<typeof stackPartsSchema>> {
  const page = readPage(query, 2);
  return {
    ...(parts.includes('keys') && {
      keys: await keyPage(sources, operator, { ...page, stackId }),
    }),
    ...(parts.includes('limits') && { limits: await limitsOf(sources, stackId) }),
  };
}

async function limitsOf({ limits, stackCaller }: AdminSources, stackId: string) {
  const caller = await stackCaller(stackId);
  return caller === undefined ? [] : (await limitList(limits, caller)).data;
}
