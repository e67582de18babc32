import { readFileSync } from 'node:fs';
import { alignTable, type Row } from './align-table.ts';

/** A package that is installed with the gateway. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Whether the project asks for it itself. */
  readonly direct: boolean;
}

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        version?: string;
        license?: string;
        dev?: boolean;
        link?: boolean;
        dependencies?: Record<string, string>;
      }
    >
  >;
}

// The lock file of npm leaves the licence out for packages of other platforms that were added without a download.
const PLATFORM_BUILD = /^@node-llama-cpp\//u;
const PLATFORM_LICENCE = 'MIT';

/** The gateway's packages from the lock file, the same on every platform. */
export function lockedPackages(): readonly LockedPackage[] {
  const { packages }: Lock = JSON.parse(
    readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
  );
  const direct = packages['']?.dependencies ?? {};
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
    .map(([path, { version = '', license }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const licence = license ?? (PLATFORM_BUILD.test(name) ? PLATFORM_LICENCE : 'unknown');
      return { name, version, licence, direct: path === `node_modules/${name}` && name in direct };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The text of docs/licences.md. */
export function licencesDocs(): string {
  const packages = lockedPackages();
  return [
    introduction,
    '## By licence',
    alignTable([['Licence', 'Packages'], ...countRows(packages)]),
    copyleft,
    '## Asked for by the gateway itself',
    packageTable(packages.filter(({ direct }) => direct)),
    '## Brought along by those',
    packageTable(packages.filter(({ direct }) => !direct)),
    inTheConsole,
  ]
    .join('\n\n')
    .concat('\n');
}

const inTheConsole = `## Inside the console

The files of the console hold parts of React, Base UI, TanStack Query and Table, wouter, uPlot and Tailwind CSS (all MIT) and the font Inter (OFL-1.1). Their licences are in \`dist/console/licences.md\`, which the build writes; Inter's is in its package, \`@fontsource-variable/inter\`.`;

const introduction = `# Licences

<!-- Made from package-lock.json by \`npm run docs\`; a test refuses licences that were not reviewed. -->

Stackgate is under the Apache License 2.0. Everything below is installed beside it by \`npm ci --omit=dev\`, on one platform or another; nothing of it is copied into this repository. The licences are what the packages declare. \`npm sbom --sbom-format cyclonedx --omit dev\` (or \`spdx\`) writes the same as a bill of materials. The weights of the models have licences of their own: [models.md](models.md), [../models/painter/NOTICE](../models/painter/NOTICE) for the painter, [../models/assistant/NOTICE](../models/assistant/NOTICE) for the adapter of the default model, and [../models/reader/NOTICE](../models/reader/NOTICE) for the document reader.`;

const copyleft = `\`LGPL-3.0-or-later\` is libvips, a shared library that sharp loads: it can be exchanged for another build, which is what its licence asks. \`OFL-1.1\` is for fonts; documents printed with them are not under it.`;

function countRows(packages: readonly LockedPackage[]): readonly Row[] {
  const counts = new Map<string, number>();
  for (const { licence } of packages) counts.set(licence, (counts.get(licence) ?? 0) + 1);
  return [...counts]
    .sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
    .map(([licence, count]) => [licence, `${count}`]);
}

function packageTable(packages: readonly LockedPackage[]): string {
  const rows = packages.map(({ name, version, licence }) => [name, version, licence]);
  return alignTable([['Package', 'Version', 'Licence'], ...rows]);
}
