import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { AskedField, FieldQuestion, WordPlace } from '../../src/reading/fields/field-finder.ts';

const folder = fileURLToPath(new URL('../../models/reader/fixtures/', import.meta.url));

const fieldSchema = z.object({
  name: z.string(),
  type: z.string().optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
});
const fixtureSchema = z.object({
  pages: z.array(z.array(z.tuple([z.string(), z.number(), z.number(), z.number(), z.number()]))),
  fields: z.array(fieldSchema),
  lists: z.array(
    z.object({ name: z.string(), description: z.string().optional(), columns: z.array(fieldSchema) }),
  ),
  fieldTexts: z.array(z.string()),
  fieldIds: z.array(z.array(z.number())),
  features: z.array(z.array(z.array(z.number()))),
  found: z.array(z.object({ text: z.string().nullable(), probability: z.number() })),
  rows: z.array(z.array(z.array(z.string().nullable()))),
});

/** A document that the reference implementation has read, and what it read. */
export interface FinderFixture {
  readonly name: string;
  readonly pages: readonly (readonly WordPlace[])[];
  readonly question: FieldQuestion;
  readonly expected: Omit<z.infer<typeof fixtureSchema>, 'pages' | 'fields' | 'lists'>;
}

/** The fixtures beside the weights. */
export function finderFixtures(): readonly FinderFixture[] {
  return readdirSync(folder).map((file) => {
    const { pages, fields, lists, ...expected } = fixtureSchema.parse(
      JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')),
    );
    return {
      name: file,
      pages: pages.map((words) => words.map(([text, x0, y0, x1, y1]) => ({ text, x0, y0, x1, y1 }))),
      question: {
        fields: fields.map(askedField),
        lists: lists.map((list) => ({ ...list, columns: list.columns.map(askedField) })),
      },
      expected,
    };
  });
}

function askedField({
  name,
  type = 'string',
  format,
  description,
  enum: choices,
}: z.infer<typeof fieldSchema>): AskedField {
  return { name, type: format === 'date' ? 'date' : type, description, choices };
}
