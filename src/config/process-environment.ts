/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment this process was started with; nothing else reads it. */
export function processEnvironment(): Environment {
  return { ...process.env };
}
