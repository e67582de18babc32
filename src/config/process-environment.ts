export type Environment = Readonly<Record<string, string | undefined>>;

/** The only reader of `process.env`. */
export function processEnvironment(): Environment {
  return { ...process.env };
}
