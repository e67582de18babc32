import type * as z from 'zod';
import type { ConfigProblem } from './config-problem.ts';
import { describeIssue } from './describe-issue.ts';
import { databaseUrlSchema, hostSchema, logLevelSchema, pathSchema, portSchema } from './file-schema.ts';
import type { Environment } from './process-environment.ts';

/** Values from environment variables that override the file. */
export interface EnvironmentOverrides {
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly dataDir: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly logLevel: z.output<typeof logLevelSchema> | undefined;
}

/** Reads the overriding variables; empty ones count as unset. */
export function readEnvironmentOverrides(environment: Environment): {
  readonly overrides: EnvironmentOverrides;
  readonly problems: readonly ConfigProblem[];
} {
  const problems: ConfigProblem[] = [];
  const read = <Value>(name: string, schema: z.ZodType<Value>, options?: ReadOptions): Value | undefined => {
    const text = environment[name];
    if (!text) return undefined;
    const input = options?.isNumber && /^\d+$/.test(text) ? Number(text) : text;
    const result = schema.safeParse(input, { reportInput: true });
    if (result.success) return result.data;
    for (const issue of result.error.issues.slice(0, 1)) {
      const described = describeIssue(issue, () => options?.isSecret ?? false);
      problems.push(...described.map(({ message }) => ({ source: 'environment', path: name, message })));
    }
    return undefined;
  };
  const overrides = {
    host: read('STACKGATE_HOST', hostSchema),
    port: read('STACKGATE_PORT', portSchema, { isNumber: true }),
    dataDir: read('STACKGATE_DATA', pathSchema),
    databaseUrl: read('DATABASE_URL', databaseUrlSchema, { isSecret: true }),
    logLevel: read('STACKGATE_LOG_LEVEL', logLevelSchema),
  };
  return { overrides, problems };
}

interface ReadOptions {
  readonly isNumber?: boolean;
  readonly isSecret?: boolean;
}
