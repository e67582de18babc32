import { z } from 'zod';
import type { Operator } from '../../access/operator.ts';
import { Fault } from '../../faults/fault.ts';
import { requireSight } from '../admin/admin-rights.ts';
import { readAdminBody } from '../admin/read-admin-body.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import type { Capture, CapturedBody } from '../capture.ts';
import { type Captures, MAX_CAPTURE_MINUTES, MAX_CAPTURES, MAX_CAPTURES_PER_STACK } from '../captures.ts';
import type { OperatorDoor } from '../operator-door.ts';
import type { OperatorRequest, OperatorRoute } from '../route.ts';
import { consoleRoutesAt } from './console-route.ts';

const minutesExpected = `a whole number from 1 to ${MAX_CAPTURE_MINUTES}`;
const newCaptureSchema = z.strictObject({
  stack: z.string('the id of a stack'),
  key: z.string('the id of a key'),
  minutes: z.int(minutesExpected).min(1, minutesExpected).max(MAX_CAPTURE_MINUTES, minutesExpected),
});

export interface CaptureRouteParts {
  readonly door: OperatorDoor;
  readonly captures: Captures;
  readonly replica: string;
  /** Whether a key is there and valid. */
  readonly hasKey: (stackId: string, keyId: string) => Promise<boolean>;
  /** Writes to the audit; without it there is no capture. */
  readonly audit: (operator: Operator, action: CaptureAction) => Promise<void>;
}

/** A step of a capture, for the audit. */
export interface CaptureAction {
  readonly action: 'capture.start' | 'capture.delete';
  readonly stackId: string;
  readonly keyId: string;
  readonly minutes?: number;
}

/** Captures of bodies: that there is one is shown to all who see the stack. */
export function captureRoutes(parts: CaptureRouteParts): readonly OperatorRoute[] {
  const route = consoleRoutesAt(parts.door);
  return [
    route('GET', '/captures', 'read', (request) => listAll(parts, request)),
    route('POST', '/captures', 'write', (request) => begin(parts, request)),
    route('GET', '/captures/:id', 'write', (request) => read(parts, request)),
    route('DELETE', '/captures/:id', 'write', (request) => remove(parts, request)),
  ];
}

function listAll({ captures, replica }: CaptureRouteParts, { operator }: OperatorRequest): Answer {
  const seen = captures.list().filter((capture) => isSeen(capture, operator));
  return jsonAnswer({ replica, data: seen.map((capture) => captureView(capture, captures)) });
}

async function begin(parts: CaptureRouteParts, { operator, body }: OperatorRequest): Promise<Answer> {
  const { stack: stackId, key: keyId, minutes } = readAdminBody(newCaptureSchema, body);
  requireSight(operator, stackId);
  if (!(await parts.hasKey(stackId, keyId))) {
    throw new Fault('admin-object-not-found', 'There is no such key, or it is not valid any more.');
  }
  const capture = parts.captures.begin({ stackId, keyId, by: operator.name, minutes });
  if (capture === undefined) {
    const message = `There are ${MAX_CAPTURES_PER_STACK} captures of this stack, or ${MAX_CAPTURES} in all, already; delete one.`;
    throw new Fault('admin-conflict', message);
  }
  try {
    await parts.audit(operator, { action: 'capture.start', stackId, keyId, minutes });
  } catch (error) {
    parts.captures.remove(capture.terms.id);
    throw error;
  }
  return { ...jsonAnswer(captureView(capture, parts.captures)), status: 201 };
}

function read(parts: CaptureRouteParts, request: OperatorRequest): Answer {
  const capture = captureOf(parts, request);
  const entries = capture.entries.map(({ request: asked, answer, status, ...head }) => ({
    ...head,
    status: status ?? null,
    request: bodyView(asked),
    answer: bodyView(answer),
  }));
  const view = { ...captureView(capture, parts.captures), entries };
  return { ...jsonAnswer(view), headers: { 'cache-control': 'no-store' } };
}

async function remove(parts: CaptureRouteParts, request: OperatorRequest): Promise<Answer> {
  const { terms } = captureOf(parts, request);
  parts.captures.remove(terms.id);
  const { stackId, keyId } = terms;
  await parts.audit(request.operator, { action: 'capture.delete', stackId, keyId });
  return jsonAnswer({});
}

function captureOf({ captures }: CaptureRouteParts, { operator, params }: OperatorRequest): Capture {
  const capture = captures.find(params.id ?? '');
  if (capture !== undefined && isSeen(capture, operator)) return capture;
  throw new Fault('admin-object-not-found', 'There is no such capture, or it is over and forgotten.');
}

function isSeen({ terms }: Capture, { stackId }: Operator): boolean {
  return stackId === undefined || stackId === terms.stackId;
}

function captureView(capture: Capture, captures: Captures): object {
  const { id, stackId, keyId, by, startedAt, endsAt } = capture.terms;
  return {
    id,
    stack: stackId,
    key: keyId,
    by,
    started_at: startedAt,
    ends_at: endsAt,
    active: captures.isRunning(capture),
    requests: capture.requests,
    dropped: capture.dropped,
  };
}

function bodyView({ text, bytes, isCut }: CapturedBody): object {
  return { text: text ?? null, bytes, truncated: isCut };
}
