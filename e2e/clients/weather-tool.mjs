const DEGREES = { Rome: 21, Oslo: 9 };

/** The arguments of the tool, as a schema. */
export const weatherSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

/** What the tool is for. */
export const weatherDescription = 'Tells how warm it is.';

/** The tool itself. */
export function weather({ city }) {
  return `${DEGREES[city]} in ${city}`;
}

/** A structured answer, as a schema. */
export const factsSchema = {
  type: 'object',
  title: 'facts',
  description: 'Facts about the weather.',
  properties: { city: { type: 'string' }, degrees: { type: 'number' } },
  required: ['city', 'degrees'],
  additionalProperties: false,
};
