import { Fault } from '../../faults/fault.ts';
import { ChildLost, TooManyWaiting } from '../../supervision/child-lost.ts';
import { SchemaRefused } from '../schema-refused.ts';

/**
 * Turns a failure of the schema service into a fault: 400 for a schema that cannot be used, 503 if the service could not
 * process it. Returns anything else unchanged.
 */
export function schemaFault(thrown: unknown, param: string): unknown {
  if (thrown instanceof SchemaRefused) {
    const place = thrown.path === '' ? '' : ` (at ${thrown.path})`;
    return new Fault(
      'invalid-request',
      `\`${param}\` is ${REFUSALS[thrown.reason]}: ${thrown.message}${place}`,
      {
        param,
      },
    );
  }
  if (thrown instanceof TooManyWaiting) {
    return new Fault('model-not-ready', 'Too many schemas wait to be looked at; retry in a moment.');
  }
  if (thrown instanceof ChildLost) {
    return new Fault('model-not-ready', 'The work on the schema was interrupted; retry in a moment.', {
      cause: thrown,
    });
  }
  return thrown;
}

const REFUSALS: Readonly<Record<SchemaRefused['reason'], string>> = {
  invalid: 'not a valid JSON Schema',
  unsatisfiable: 'a schema that no answer satisfies',
  'remote-reference': 'a schema that refers to another document',
  'too-complex': 'too complex a schema',
};
