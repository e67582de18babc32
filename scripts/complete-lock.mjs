// `npm run lock`, after any change of dependencies: adds to the lock file the optional packages of other platforms that
// the registry at hand does not have. npm leaves them out, and then refuses the lock file as incomplete. Takes out the marks of
// install scripts: "npm ci" runs only those that the lock file lists, and one of them would download libraries for CUDA.
import { readFileSync, writeFileSync } from 'node:fs';

const PLATFORM =
  /(android|darwin|mac|freebsd|linux|win32|win|openharmony)-(arm64|arm|x64|ia32|ppc64|riscv64|s390x)/;
// Packages that do not name systems like Node.
const SYSTEMS = { mac: 'darwin', win: 'win32' };
const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));

for (const [place, entry] of Object.entries(lock.packages)) {
  delete entry.hasInstallScript;
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const places = [`${place}/node_modules/${name}`, `node_modules/${name}`];
    if (!places.some((known) => known in lock.packages)) {
      lock.packages[`node_modules/${name}`] = absentPackage(name, version, entry.dev === true);
      console.log(`added ${name}@${version}`);
    }
  }
}
const { '': root, ...packages } = lock.packages;
const sorted = Object.entries(packages).sort(([one], [other]) => one.localeCompare(other, 'en'));
writeFileSync(
  path,
  `${JSON.stringify({ ...lock, packages: { '': root, ...Object.fromEntries(sorted) } }, null, 2)}\n`,
);

/** An entry from a package's name: enough for npm to skip it on this platform and to fetch it on its own. */
function absentPackage(name, version, isDev) {
  const [, system, processor] = PLATFORM.exec(name) ?? [];
  const library = name.includes('musl')
    ? ['musl']
    : system === 'linux' && name.includes('gnu')
      ? ['glibc']
      : undefined;
  return {
    version,
    ...(processor || name.includes('wasm32') ? { cpu: [processor ?? 'wasm32'] } : {}),
    ...(isDev ? { dev: true } : {}),
    ...(library ? { libc: library } : {}),
    optional: true,
    ...(system ? { os: [SYSTEMS[system] ?? system] } : {}),
  };
}
