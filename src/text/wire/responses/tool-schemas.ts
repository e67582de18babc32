import { z } from 'zod';

const description = z.string('a string').nullish();
const name = z.string('a name').min(1, 'a name');

export const functionToolSchema = z.object({
  name,
  description,
  parameters: z.record(z.string(), z.unknown(), 'a JSON Schema object').nullish(),
  strict: z.boolean('true or false').nullish(),
});

export const customToolSchema = z.object({
  name,
  description,
  format: z
    .looseObject({ type: z.string(), syntax: z.string().nullish(), definition: z.string().nullish() })
    .nullish(),
});

export type CustomTool = z.infer<typeof customToolSchema>;

export const namespaceSchema = z.object({
  name,
  description,
  tools: z.array(z.unknown(), 'an array of tools').nullish(),
});

export const hostedToolSchema = z.object({
  max_num_results: z.int('an integer').nullish(),
  size: z.string('a size').nullish(),
});
