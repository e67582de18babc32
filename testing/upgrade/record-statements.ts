import { appendFileSync } from 'node:fs';
import type pg from 'pg';
import { type StatementValue, toJsonValue } from './recorded-statement.ts';

/** The statements of this process that were recorded. */
const recorded = new Set<string>();

/**
 * Appends each statement that a pool sends with success, once, with its values. That is how the statements of a release are
 * recorded: `STACKGATE_RECORD_STATEMENTS=file npx vitest run --project integration src/store src/admin`.
 */
export function recordStatements(pool: pg.Pool, path: string): void {
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...given: unknown[]) => unknown;
    const recording = (...given: unknown[]) => {
      const answer = send(...given);
      const [statement] = given;
      if (answer instanceof Promise) void answer.then(() => record(path, statement)).catch(() => {});
      else if (isStatement(statement)) record(path, statement);
      return answer;
    };
    Object.assign(client, { query: recording });
  });
}

interface Statement {
  readonly text: string;
  readonly values: readonly StatementValue[];
}

function isStatement(value: unknown): value is Statement {
  return typeof value === 'object' && value !== null && 'text' in value && 'values' in value;
}

function record(path: string, statement: unknown): void {
  if (!isStatement(statement) || recorded.has(statement.text)) return;
  recorded.add(statement.text);
  const values = (statement.values ?? []).map(toJsonValue);
  appendFileSync(path, `${JSON.stringify({ text: statement.text, values })}\n`);
}
