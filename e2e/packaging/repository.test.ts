import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceFiles, sourceText } from './source-tree.ts';

interface LockedPackage {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lockFiles = sourceFiles().filter((name) => basename(name) === 'package-lock.json');
const systemPackageManager = /\b(apt|apt-get|apk|yum|dnf|zypper|pacman|brew|snap|sudo)\b/;

describe.each(lockFiles)('%s', (name) => {
  it('records no download addresses', () => {
    // A package of this repository has its folder there.
    expect(sourceText(name)).not.toMatch(/"resolved": "(?!packages\/)|https?:\/\/[^"]*\.tgz/);
  });

  // npm omits packages its registry does not have, and "npm ci" then refuses the lock file everywhere.
  it('pins the optional packages of every platform', () => {
    expect(missingOptionalPackages(name)).toEqual([]);
  });
});

describe('what npm reads', () => {
  it('is known to npm, which warns of every other setting', () => {
    const names = sourceText('.npmrc').match(/^[\w-]+(?==)/gm) ?? [];
    expect(names).toEqual(['omit-lockfile-registry-resolved', 'save-exact']);
  });
});

describe('what npm runs', () => {
  // "npm ci" runs the install scripts that the lock file lists. None has to run, and one would download CUDA.
  it('is no install script of a package', () => {
    expect(sourceText('package-lock.json')).not.toContain('"hasInstallScript"');
  });

  it('calls no system package manager', () => {
    const scripts = sourceFiles().filter((name) => /^(scripts|\.ci)\//.test(name));
    expect(scripts).toContain('scripts/build.mjs');
    for (const name of scripts) expect(sourceText(name), name).not.toMatch(systemPackageManager);
    const manifest = JSON.parse(sourceText('package.json'));
    expect(Object.values(manifest.scripts).join('\n')).not.toMatch(systemPackageManager);
  });
});

function missingOptionalPackages(lockFile: string): readonly string[] {
  const { packages }: { packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
    sourceText(lockFile),
  );
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isReachable(packages, place, name)),
  );
}

/** Packages are resolved next to the importing one, then further up. */
function isReachable(packages: object, place: string, name: string): boolean {
  const parents = place
    .split('node_modules/')
    .map((_, at, parts) => parts.slice(0, at).join('node_modules/'));
  return [...parents, `${place}/`].some((parent) => `${parent}node_modules/${name}` in packages);
}
