import { modelsFamily } from '../../families/chat-family.ts';
import type { Fault } from '../../faults/fault.ts';
import type { Answer } from '../answer.ts';
import type { OpenRoute } from '../route.ts';

/** The state that the operations routes report. */
export interface OperationsSources {
  /** The reason why the gateway cannot serve now; `undefined` if it can. */
  readonly notReady: () => Fault | undefined | Promise<Fault | undefined>;
  readonly metrics: () => Promise<string>;
  readonly metricsContentType: string;
}

/** `/healthz`, `/readyz` and `/metrics`: for load balancers and monitors, without a key. */
export function operationsRoutes(sources: OperationsSources): readonly OpenRoute[] {
  return [
    {
      ...common,
      path: '/healthz',
      summary: 'Alive',
      detail: 'Answers 200 as long as the process runs.',
      handle: () => text('ok\n'),
    },
    {
      ...common,
      path: '/readyz',
      summary: 'Ready to serve',
      detail: 'Answers 200 when requests can be served, 503 while draining or while the database is away.',
      faults: ['database-away', 'draining'],
      handle: async () => {
        const fault = await sources.notReady();
        if (fault !== undefined) throw fault;
        return text('ready\n');
      },
    },
    {
      ...common,
      path: '/metrics',
      summary: 'Metrics',
      detail: 'Numbers in the Prometheus text format.',
      handle: async () => ({ contentType: sources.metricsContentType, body: await sources.metrics() }),
    },
  ];
}

function text(body: string): Answer {
  return { contentType: 'text/plain', body };
}

const common = {
  method: 'GET',
  access: 'open',
  whileDraining: true,
  family: modelsFamily,
  body: { kind: 'none' },
  group: 'Operations',
  answer: { contentType: 'text/plain' },
} as const;
