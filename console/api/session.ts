import { useQuery } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { askJson } from './client.ts';
import type { Session } from './types.ts';

/** The person who is signed in, or what the log-in page must know. */
export type SignedIn =
  | { readonly session: Session }
  | { readonly session: null; readonly oidc: { readonly name: string } | null; readonly needsSetup: boolean };

export const SESSION = ['session'] as const;

export function useSignedIn() {
  return useQuery({
    queryKey: SESSION,
    queryFn: readSession,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

async function readSession(): Promise<SignedIn> {
  try {
    return { session: await askJson<Session>('/session') };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    const body = error.body as { oidc?: { name: string } | null; needs_setup?: boolean } | undefined;
    return { session: null, oidc: body?.oidc ?? null, needsSetup: body?.needs_setup === true };
  }
}

/** The person who is signed in; only for pages that are shown after the log-in. */
export function useSession(): Session {
  const { data } = useSignedIn();
  return data?.session ?? { name: '', role: 'member' };
}

/** The rights of a role. The gateway decides; this only hides buttons that it would refuse. */
export function mayChange({ role, read_only }: Session, what: 'stacks' | 'keys'): boolean {
  return read_only !== true && (role === 'operator' || (role === 'member' && what === 'keys'));
}
