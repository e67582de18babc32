/** The last migration of each release. */
export const releases: Readonly<Record<string, string>> = {
  '0.1.0': '0007-files.sql',
};
