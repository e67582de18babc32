import type pg from 'pg';

/** How a statement reads a table, by its plan. */
export interface PlannedRead {
  readonly table: string;
  /** Undefined if the table is read from its start. */
  readonly index: string | undefined;
  readonly condition: string;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** How the queries on the tables of the search would read them, each planned right before it is sent. */
export async function plannedReads(
  pool: pg.Pool,
  work: () => Promise<unknown>,
): Promise<readonly PlannedRead[]> {
  const reads: PlannedRead[] = [];
  const explain = (client: pg.PoolClient) => {
    const send = client.query.bind(client) as (...given: unknown[]) => Promise<pg.QueryResult>;
    const sending = async (...given: unknown[]) => {
      const [statement] = given;
      if (isSearchQuery(statement)) {
        const { text, values } = statement;
        const { rows } = await send({ text: `explain (format json) ${text}`, values });
        for (const { Plan } of rows[0]['QUERY PLAN']) reads.push(...readsOf(Plan));
      }
      return send(...given);
    };
    const original = client.query;
    Object.assign(client, { query: sending });
    pool.once('release', () => Object.assign(client, { query: original }));
  };
  pool.on('acquire', explain);
  await work().finally(() => pool.off('acquire', explain));
  return reads;
}

function isSearchQuery(value: unknown): value is { text: string; values: unknown[] } {
  if (typeof value !== 'object' || value === null || !('text' in value)) return false;
  return /^select[\s\S]*knowledge_search\.(passages|vectors|terms|samples)/.test(String(value.text));
}

function readsOf(node: PlanNode, table?: string): readonly PlannedRead[] {
  const relation = node['Relation Name'] ?? table;
  const below = (node.Plans ?? []).flatMap((plan) => readsOf(plan, relation));
  const isScan = node['Node Type'].endsWith('Scan') && node['Node Type'] !== 'Bitmap Heap Scan';
  if (!isScan || relation === undefined) return below;
  return [...below, { table: relation, index: node['Index Name'], condition: node['Index Cond'] ?? '' }];
}
