import { Fault } from '../../../faults/fault.ts';
import { ChildFailure, ChildLost, TooManyWaiting } from '../../../supervision/child-lost.ts';

/** Maps a failure of the child to the fault that callers see. */
export function llamaFault(cause: unknown): unknown {
  if (cause instanceof TooManyWaiting)
    return new Fault('engine-overloaded', 'The model has too much to do; retry later.', { cause });
  if (cause instanceof ChildLost) return faultOfLoss(cause);
  if (cause instanceof ChildFailure) return faultOfFailure(cause);
  return cause;
}

function faultOfLoss(cause: ChildLost): Fault {
  switch (cause.reason) {
    case 'deadline':
      return new Fault('engine-timeout', 'The model took too long; retry later or ask for less.', { cause });
    case 'stopped':
      return new Fault('model-not-ready', 'The model is being stopped; retry later.', { cause });
    default:
      return new Fault('engine-failed', "The model's process ended and is being restarted; retry.", {
        cause,
      });
  }
}

function faultOfFailure(cause: ChildFailure): Fault {
  const options = { param: 'messages', cause };
  if (cause.code === 'prompt-too-long') return new Fault('context-length-exceeded', cause.message, options);
  if (cause.code === 'prompt-invalid') return new Fault('invalid-request', cause.message, options);
  return new Fault('engine-failed', 'The model could not answer; retry.', { cause });
}
