import { textPdf } from '../../soak/text-pdf.mjs';
import { formRequest, jsonRequest } from '../ask.mjs';

const BOTH = ['upstream', 'embedded'];
const SMALL = 4;
const BIG = 2;
const BIG_PROPERTIES = 300;
// Causes catastrophic backtracking in the pattern below.
const aaa = 'a'.repeat(40);
const said = `[[say {"x": "${aaa}"}]]`;

/** Schemas that are small and endless, or big. */
export const schemasAttacks = [
  {
    name: 'schemas-check',
    what: `checks of ${SMALL} schemas of 150 bytes whose pattern has no end, and of ${BIG} big ones, at a time`,
    engines: ['upstream'],
    run: (noise) => send(noise, (schema) => jsonRequest('/v1/schemas/check', { schema }, noise.keys.noisy)),
  },
  {
    name: 'schemas-chat',
    what: 'the same as the form of chats',
    engines: BOTH,
    run: (noise) => send(noise, (schema) => chatOf(noise, schema)),
  },
  {
    name: 'schemas-extraction',
    what: 'the same as the form of extractions',
    engines: BOTH,
    run: (noise) => send(noise, (schema) => extractionOf(noise, schema)),
  },
];

async function send(noise, requestOf) {
  await Promise.all([
    noise.keepAsking(SMALL, (number) => requestOf(endlessSchema(number))),
    noise.keepAsking(BIG, (number) => requestOf(bigSchema(number))),
  ]);
}

function chatOf(noise, schema) {
  const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } };
  return jsonRequest('/v1/chat/completions', noise.chat(said, { response_format }), noise.keys.noisy);
}

function extractionOf(noise, schema) {
  const file = ['a.pdf', textPdf(`Code: ${aaa}`)];
  return formRequest(
    '/v1/documents/extract',
    { schema: JSON.stringify(schema), user: said, file },
    noise.keys.noisy,
  );
}

/** A different one each time, so that none is cached. */
function endlessSchema(number) {
  const values = [`${aaa}${number}`, aaa];
  const pattern = [`^(a+)+\\1b$`, `^(a|a)*\\1{${1 + (number % 9)}}b$`, '^((a*)*)*\\2b$'][number % 3];
  return {
    type: 'object',
    properties: { x: number % 2 === 0 ? { pattern, enum: values } : { pattern, maxLength: 50 + number } },
  };
}

/** Just below the limit of 64 KB: lists, alternatives and patterns that multiply. */
function bigSchema(number) {
  const properties = Array.from({ length: BIG_PROPERTIES }, (_, place) => [
    `field_${number}_${place}`,
    {
      anyOf: [
        { type: 'string', pattern: `^(?:[a-z]{1,${20 + (place % 20)}}-){1,30}${place}$`, maxLength: 400 },
        { type: 'array', items: { enum: [place, `${place}`, null] }, uniqueItems: true, maxItems: 6 },
      ],
    },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}
