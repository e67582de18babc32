import type { Key } from '../api/types.ts';

export const KNOWLEDGE = [
  { value: 'none', label: 'No access' },
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Read and write' },
] as const;

/** The fields of a key that can be changed, as its form has them. */
export interface KeyForm {
  readonly prompt: string;
  readonly retrieval: boolean;
  readonly knowledge: (typeof KNOWLEDGE)[number]['value'];
  readonly expires: string;
  readonly requestsPerMinute: number | null;
  readonly concurrentRequests: number | null;
}

export const EMPTY_KEY: KeyForm = {
  prompt: '',
  retrieval: false,
  knowledge: 'none',
  expires: '',
  requestsPerMinute: null,
  concurrentRequests: null,
};

export function formOf(key: Key): KeyForm {
  return {
    prompt: key.prompt ?? '',
    retrieval: key.retrieval,
    knowledge: key.knowledge === 'read' || key.knowledge === 'write' ? key.knowledge : 'none',
    expires: key.expires_at?.slice(0, 10) ?? '',
    requestsPerMinute: key.limits.requests_per_minute ?? null,
    concurrentRequests: key.limits.concurrent_requests ?? null,
  };
}

/** The body of a creation or a change. */
export function bodyOf(form: KeyForm) {
  return {
    prompt: form.prompt === '' ? null : form.prompt,
    retrieval: form.retrieval,
    knowledge: form.knowledge === 'none' ? null : form.knowledge,
    expires_at: form.expires === '' ? null : `${form.expires}T00:00:00Z`,
    limits: {
      ...(form.requestsPerMinute !== null && { requests_per_minute: form.requestsPerMinute }),
      ...(form.concurrentRequests !== null && { concurrent_requests: form.concurrentRequests }),
    },
  };
}

/** The members that a form changes of a key; what it shows only in part, such as the hour of an expiry, stays. */
export function changesOf(key: Key, form: KeyForm): Partial<ReturnType<typeof bodyOf>> {
  const before = bodyOf(formOf(key));
  const changed = Object.entries(bodyOf(form)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
  );
  return Object.fromEntries(changed);
}
