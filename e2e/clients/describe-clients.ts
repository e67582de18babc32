import { beforeAll, describe, it } from 'vitest';
import type { InstalledClients } from './install-clients.ts';
import { type ClientRow, nodeFor, runClient } from './run-client.ts';

/** Installed clients, and the gateway that they call. */
export interface ClientWorld {
  readonly clients: InstalledClients;
  /** Known once the gateway listens. */
  readonly url: () => string;
}

export interface ClientSuite<Row extends ClientRow> {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Whether clients run one after the other, because they see what the others do. */
  readonly inTurns?: boolean;
  /** Further members of every task. */
  readonly more?: () => Readonly<Record<string, string>>;
}

/** Runs the clients of a suite, usually at the same time, each in a process and on a Node that it supports, and tests their reports. */
export async function describeClients<Row extends ClientRow>(
  { clients, url }: ClientWorld,
  { title, rows, inTurns = false, more }: ClientSuite<Row>,
  tests: (report: () => unknown, row: Row) => void,
): Promise<void> {
  const nodes = await Promise.all(rows.map(({ alias }) => nodeFor(clients, alias)));
  describe(title, () => {
    const reports = new Map<Row, unknown>();
    const runOne = async (row: Row, node: string | undefined) => {
      const task = { ...more?.(), ...row.more };
      if (node !== undefined)
        reports.set(row, await runClient({ node, clients, row, url: url(), more: task }));
    };

    beforeAll(async () => {
      const runs: Promise<void>[] = [];
      for (const [index, row] of rows.entries()) {
        const running = runOne(row, nodes[index]);
        if (inTurns) await running;
        else runs.push(running);
      }
      await Promise.all(runs);
    });

    for (const [index, row] of rows.entries())
      describe(row.name ?? `${row.alias} by ${row.credential}`, () => {
        if (nodes[index] === undefined) it.skip('needs a newer Node than is available on this machine');
        else tests(() => reports.get(row), row);
      });
  });
}
