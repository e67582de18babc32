import type { LogInNote } from '../../src/people/log-in-note.ts';
import { LogInThrottle } from '../../src/people/log-in-throttle.ts';
import { LogIns } from '../../src/people/log-ins.ts';
import { PasswordHasher } from '../../src/people/password-hasher.ts';
import type { Standing } from '../../src/people/person.ts';
import { Sessions } from '../../src/people/sessions.ts';
import { makeSetupLink } from '../../src/people/setup-links.ts';
import { HeldClock } from '../held-clock.ts';
import { MemoryPeople } from './memory-people.ts';

export const PASSWORD = 'correct horse battery';

const operator: Standing = { role: 'operator', stackId: undefined };

/** People, sessions and log-ins in memory, with a clock that stands still and passwords that cost nothing. */
export class LogInWorld {
  readonly clock = new HeldClock();
  readonly people: MemoryPeople;
  readonly sessions: Sessions;
  readonly passwords = new PasswordHasher({ logN: 1, r: 1, p: 1 });
  readonly logIns: LogIns;

  /** `people` are those of another replica. */
  constructor(people = new MemoryPeople()) {
    this.people = people;
    this.sessions = new Sessions({ store: people.sessions, clock: this.clock });
    this.logIns = new LogIns({
      people,
      sessions: this.sessions,
      passwords: this.passwords,
      throttle: new LogInThrottle(this.clock),
      clock: this.clock,
      note: async (note) => void people.notes.push(note),
    });
  }

  /** The notes for the audit. */
  get notes(): readonly LogInNote[] {
    return this.people.notes;
  }

  link(name: string | undefined, standing = operator): Promise<string> {
    return makeSetupLink(this.people, { name, ...standing }, this.clock);
  }

  /** Adds a person with the password of all tests. */
  async add(name: string, { role, stackId }: Standing = operator): Promise<void> {
    const token = await this.link(name, { role, stackId });
    await this.logIns.byLink({ token, name: undefined, password: PASSWORD }, from());
  }

  /** The token of a new session. */
  async logIn(name: string): Promise<string> {
    return (await this.logIns.byPassword({ name, password: PASSWORD }, from())).token;
  }
}

/** Where a log-in comes from. */
export function from({
  address = '192.0.2.1',
  formerToken,
}: {
  address?: string;
  formerToken?: string;
} = {}) {
  return { address, formerToken };
}
