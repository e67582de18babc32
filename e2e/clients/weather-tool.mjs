const DEGREES = { Rome: 21, Oslo: 9 };

/** The tool's arguments, as a schema. */
export const weatherSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

export const weatherDescription = 'Tells how warm it is.';

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
