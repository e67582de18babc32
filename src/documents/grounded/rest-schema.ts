import { isRecord } from '../../lib/json-record.ts';
import type { ObjectSchema } from '../target-schema.ts';
import type { Filling } from './assemble.ts';
import { isComplete } from './filled-data.ts';
import { resolvedSchema } from './plan-schema.ts';

/** The schema of the missing parts only, so that the model writes nothing twice. */
export function restSchema(root: ObjectSchema, filling: Filling): ObjectSchema {
  const { $defs, definitions, $schema } = root;
  const kept = Object.entries({ $schema, $defs, definitions }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(kept), ...restOf(root, filling, root) };
}

function restOf(given: unknown, filling: Filling, root: ObjectSchema): ObjectSchema {
  const schema = resolvedSchema(given, root) ?? {};
  if (filling.state !== 'object' || !isRecord(schema.properties)) return schema;
  const { properties, required } = schema;
  const members = Array.from(filling.members).filter(([, member]) => !isComplete(member));
  const isNeeded = (name: string, { state }: Filling) =>
    state === 'object' || (Array.isArray(required) && required.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(
      members.map(([name, member]) => [
        name,
        member.state === 'free' ? properties[name] : restOf(properties[name], member, root),
      ]),
    ),
    required: members.filter(([name, member]) => isNeeded(name, member)).map(([name]) => name),
    additionalProperties: false,
  };
}
