import { z } from 'zod';

/** A request to the painter's process. */
export const paintRequestSchema = z.object({
  prompt: z.string(),
  width: z.int().positive(),
  height: z.int().positive(),
  steps: z.int().positive(),
  guidanceScale: z.number(),
  seed: z.bigint(),
  /** Encoded pictures. */
  references: z.array(z.instanceof(Uint8Array)),
});

/** Its answer. */
export const paintAnswerSchema = z.object({
  bytes: z.instanceof(Uint8Array),
  unknownWords: z.array(z.string()).readonly(),
  paintMs: z.number(),
  encodeMs: z.number(),
});

export type PaintAnswer = z.infer<typeof paintAnswerSchema>;
