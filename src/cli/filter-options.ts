import { type Command, InvalidArgumentError } from 'commander';
import { OperatorError } from '../admin/operator-error.ts';

/** Which stored things of a stack a command works on. */
export interface TimeFilters {
  readonly key?: string;
  readonly from?: Date;
  readonly before?: Date;
}

/** Adds the options for a key and a time. */
export function withTimeFilters(command: Command): Command {
  return command
    .option('--key <id>', 'only those that a key made')
    .option('--from <time>', 'only those made at this ISO 8601 time or later', moment)
    .option('--before <time>', 'only those made before this ISO 8601 time', moment);
}

/** The options as a query. */
export function timeQuery(stackId: string, { key, from, before }: TimeFilters) {
  return {
    stackId,
    ...(key !== undefined && { keyId: key }),
    ...(from !== undefined && { createdFrom: from }),
    ...(before !== undefined && { createdBefore: before }),
  };
}

/** Reads a stack and a key, as in shop/web. */
export function keyName(text: string): { readonly stackId: string; readonly keyId: string } {
  const [, stackId, keyId] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (stackId === undefined || keyId === undefined)
    throw new OperatorError(`--key is a stack and a key, as in shop/web; got "${text}"`);
  return { stackId, keyId };
}

function moment(text: string): Date {
  const date = new Date(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(date.getTime()))
    throw new InvalidArgumentError('It is an ISO 8601 time.');
  return date;
}
