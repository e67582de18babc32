import type { Config } from '../config/config.ts';
import type { EngineReport } from '../http/admin/admin-sources.ts';
import type { NamedState, QueueDepth } from './gateway-module.ts';

export interface EngineReportSources {
  readonly config: Config;
  readonly states: readonly NamedState[];
  readonly depths: readonly QueueDepth[];
  /** The last failure of an engine, by its metric label. */
  readonly failureOf: (label: string) => string | undefined;
}

/** The engines with their states, for operators. Their addresses are not part of it. */
export function engineReports({
  config,
  states,
  depths,
  failureOf,
}: EngineReportSources): readonly EngineReport[] {
  const waiting = new Map(depths);
  return states.flatMap(([label, state]) => {
    const [capability = '', name = ''] = label.split(':', 2);
    const known = describe(config, capability, name);
    if (known === undefined) return [];
    return [{ name, ...known, state, waiting: waiting.get(label), lastError: failureOf(label) }];
  });
}

function describe({ engines }: Config, capability: string, name: string) {
  switch (capability) {
    case 'text':
    case 'image': {
      const engine = engines[capability][name];
      return engine && { capability, kind: engine.kind, model: modelOf(engine) };
    }
    case 'ocr':
    case 'pdf':
    case 'embeddings':
      return { capability, kind: engines[capability].kind, model: modelOf(engines[capability]) };
    case 'fields':
      return { capability, kind: name, model: undefined } as const;
    default:
      return undefined;
  }
}

function modelOf(engine: { readonly model?: string } | object): string | undefined {
  return 'model' in engine ? engine.model : undefined;
}
