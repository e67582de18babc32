import type { PlanLimits } from '../../access/plan-limits.ts';
import { documentsFamily } from '../../families/documents-family.ts';
import type { Family } from '../../families/family.ts';
import { Fault } from '../../faults/fault.ts';
import type { BodyRule, KeyRoute } from '../route.ts';
import type { RouteDescription } from '../route-description.ts';

const MIB = 1024 * 1024;
// Room for field names, boundaries and the text fields of a form beside its files.
const FORM_OVERHEAD_BYTES = MIB;

/** Routes whose capability is not part of this version. They know their callers and their bodies, and then say 503. */
export const comingRoutes: readonly KeyRoute[] = [
  coming('/v1/documents/extract', 'Extraction from PDFs', {
    group: 'Documents',
    family: documentsFamily,
    body: formOf((limits) => limits.extraction.documentBytes),
  }),
  coming('/v1/images/extract', 'Extraction from images', {
    group: 'Documents',
    family: documentsFamily,
    body: formOf((limits) => limits.extraction.imageBytes),
  }),
];

interface ComingRoute {
  readonly group: RouteDescription['group'];
  readonly family: Family;
  readonly body: BodyRule;
}

function coming(path: string, name: string, { group, ...rules }: ComingRoute): KeyRoute {
  return {
    method: 'POST',
    path,
    access: 'key',
    ...rules,
    description: {
      group,
      summary: name,
      detail: `${name} is not part of this version; a well-formed request is answered 503.`,
      answer: { contentType: 'application/json' },
      available: false,
    },
    handle: () => {
      throw new Fault('model-not-ready', `${name} is not part of this version of Stackgate.`);
    },
  };
}

function formOf(fileBytes: (limits: PlanLimits) => number): BodyRule {
  return {
    kind: 'form',
    cap: (limits) => fileBytes(limits) + FORM_OVERHEAD_BYTES,
    tooLarge: 'body-too-large',
  };
}
