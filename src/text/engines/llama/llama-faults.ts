import { Fault } from '../../../faults/fault.ts';
import { ChildFailure, ChildLost, TooManyWaiting } from '../../../supervision/child-lost.ts';

/** Maps a failure of the child to the fault that callers see. */
export function llamaFault(error: unknown): unknown {
  if (error instanceof TooManyWaiting) {
    return new Fault('engine-overloaded', 'The model has too much to do; retry later.', { cause: error });
  }
  if (error instanceof ChildLost) return faultOfLoss(error);
  if (error instanceof ChildFailure) return faultOfFailure(error);
  return error;
}

function faultOfLoss(error: ChildLost): Fault {
  switch (error.reason) {
    case 'deadline':
      return new Fault('engine-timeout', 'The model took too long; retry later or ask for less.', {
        cause: error,
      });
    case 'stopped':
      return new Fault('model-not-ready', 'The model is being stopped; retry later.', { cause: error });
    default:
      return new Fault('engine-failed', "The model's process ended and is being restarted; retry.", {
        cause: error,
      });
  }
}

function faultOfFailure(error: ChildFailure): Fault {
  switch (error.code) {
    case 'prompt-too-long':
      return new Fault('context-length-exceeded', error.message, { param: 'messages', cause: error });
    case 'prompt-invalid':
      return new Fault('invalid-request', error.message, { param: 'messages', cause: error });
    default:
      return new Fault('engine-failed', 'The model could not answer; retry.', { cause: error });
  }
}
