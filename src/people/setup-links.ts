import type { WallClock } from '../lib/wall-clock.ts';
import type { PeopleStore } from './people-store.ts';
import type { Standing } from './person.ts';
import { hashToken, newToken } from './token.ts';

/** A link can be used for this long. */
export const SETUP_LINK_MS = 30 * 60_000;

/** Makes a link for a person, or for a first operator who chooses a name; returns its token, which is not kept. */
export async function makeSetupLink(
  people: Pick<PeopleStore, 'addLink'>,
  { name, role, stackId }: Standing & { readonly name: string | undefined },
  clock: WallClock,
): Promise<string> {
  const token = newToken();
  const expiresAt = new Date(clock.nowMs() + SETUP_LINK_MS);
  await people.addLink({ tokenHash: hashToken(token) ?? '', name, role, stackId, expiresAt });
  return token;
}

/** The address of a link. It is behind `#`, which browsers send to no server. */
export function setupLinkUrl(origin: string, token: string): string {
  return `${origin}/console/#setup=${token}`;
}
