import type { ObjectSchema } from '../target-schema.ts';
import type { Filling } from './assemble.ts';

/** Whether anything is left for the model to write. */
export function isComplete(filling: Filling): boolean {
  if (filling.state === 'object') return Array.from(filling.members.values()).every(isComplete);
  return filling.state !== 'free';
}

/** The data of a complete filling. */
export function dataOf(filling: Filling): unknown {
  if (filling.state === 'value') return filling.value;
  if (filling.state !== 'object') return undefined;
  const members = Array.from(filling.members).filter(([, member]) => member.state !== 'absent');
  return Object.fromEntries(members.map(([name, member]) => [name, dataOf(member)]));
}

/** The schema with every value that was found fixed, so that the model writes only the rest. */
export function narrowedSchema(schema: ObjectSchema, filling: Filling): ObjectSchema {
  const { allOf } = schema;
  return { ...schema, allOf: [...(Array.isArray(allOf) ? allOf : []), narrowing(filling)] };
}

function narrowing(filling: Filling): ObjectSchema | boolean {
  switch (filling.state) {
    case 'free':
      return true;
    case 'absent':
      return false;
    case 'value':
      return { const: filling.value };
    case 'object': {
      const members = Array.from(filling.members);
      return {
        type: 'object',
        properties: Object.fromEntries(members.map(([name, member]) => [name, narrowing(member)])),
        required: members
          .filter(([, { state }]) => state === 'value' || state === 'object')
          .map(([name]) => name),
      };
    }
  }
}
