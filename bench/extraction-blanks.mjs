// Replaces the model where rules are scored alone: fills what they did not find.

/** Writes meaningless values that satisfy a schema; `wrote` tells whether the value at a path is one of them. */
export function blankWriter() {
  let written;
  return {
    attempt: async ({ schema }) => {
      written = blankFor(schema);
      return { output: { data: written }, raw: '', writtenTokens: 0 };
    },
    wrote: (path) =>
      path
        .split('/')
        .slice(1)
        .reduce((value, name) => value?.[name], written) !== undefined,
    forget: () => {
      written = undefined;
    },
  };
}

function blankFor({ type, enum: members, format, required = [], properties = {} }) {
  if (members !== undefined) return members[0];
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, blankFor(properties[name])]));
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return format === 'date' ? '1900-01-01' : '?';
  }
}
