/** The state in which an older release expects a database that goes back to it. */
export interface Release {
  readonly lastMigration: string;
  /** Whether it makes the built-in stack as a file would declare it, and refuses one that was made in another way. */
  readonly declaresBuiltInStack: boolean;
}

export const releases: Readonly<Record<string, Release>> = {
  '0.1.0': { lastMigration: '0007-files.sql', declaresBuiltInStack: true },
};
