import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { instructionsOf, readDockerfile } from './dockerfile.ts';
import { repositoryRoot, sourceFiles, sourceText } from './source-tree.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const { services, volumes } = parse(sourceText('compose.yaml'));
/** The delay after SIGTERM, and the time for running requests to finish. */
const drainSeconds = 5 + 30;

describe('compose.yaml', () => {
  it('builds the gateway from the Dockerfile and takes PostgreSQL 18', () => {
    expect(services.gateway.build).toBe('.');
    expect(sourceFiles()).toContain('Dockerfile');
    expect(services.database.image).toMatch(/^postgres:18\b/);
  });

  it('starts both again after a failure and leaves them time to end', () => {
    for (const service of Object.values<Record<string, unknown>>(services)) {
      expect(service.restart).toBe('unless-stopped');
      expect(Number.parseInt(String(service.stop_grace_period), 10)).toBeGreaterThan(drainSeconds);
    }
  });

  it('starts the gateway when the database is healthy', () => {
    expect(services.gateway.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(services.database.healthcheck.test.slice(0, 2)).toEqual(['CMD', 'pg_isready']);
  });

  it('keeps what must last in volumes that it declares', () => {
    const mounts: readonly string[] = [...services.gateway.volumes, ...services.database.volumes];
    const named = mounts.filter((mount) => !mount.startsWith('.')).map((mount) => mount.split(':')[0]);
    expect(named).toEqual(Object.keys(volumes));
    const image = readDockerfile(sourceText('Dockerfile')).at(-1);
    if (image === undefined) throw new Error('the Dockerfile has no stage');
    const places = ['VOLUME', 'WORKDIR'].map((keyword) => instructionsOf(image, keyword).at(-1)?.rest);
    expect(services.gateway.volumes.map((mount: string) => mount.split(':')[1])).toEqual(places);
    expect(services.gateway.ports).toEqual([
      expect.stringMatching(new RegExp(`^127\\.0\\.0\\.1:\\d+:${instructionsOf(image, 'EXPOSE')[0]?.rest}$`)),
    ]);
  });

  it('holds no secret: the password comes from outside, and its absence stops the start', () => {
    expect(services.database.environment.POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?[^}]+\}$/);
    expect(services.gateway.environment.DATABASE_URL).toContain(
      services.database.environment.POSTGRES_PASSWORD,
    );
  });

  it('points the gateway at the database beside it', () => {
    const url = new URL(gatewayEnvironment().DATABASE_URL ?? '');
    const { POSTGRES_USER, POSTGRES_DB } = services.database.environment;
    expect(Object.keys(services)).toContain(url.hostname);
    expect([url.username, url.password, url.pathname]).toEqual([POSTGRES_USER, 'pw123', `/${POSTGRES_DB}`]);
  });

  it('sets variables that the gateway knows and takes', () => {
    const documented = sourceText('docs/configuration.md');
    for (const name of Object.keys(services.gateway.environment)) expect(documented).toContain(`\`${name}\``);
    const folder = new TemporaryFolder();
    onTestFinished(() => folder[Symbol.dispose]());
    const program = join(repositoryRoot, 'dist', 'main.js');
    const options = { cwd: folder.path, env: gatewayEnvironment(), encoding: 'utf8' } as const;
    const check = spawnSync(process.execPath, [program, 'config', 'check'], options);
    expect(check.stderr).toBe('');
    expect(check.status).toBe(0);
  });
});

/** The gateway's variables as Compose would fill them in. */
function gatewayEnvironment(): Readonly<Record<string, string>> {
  const given: Readonly<Record<string, string>> = { POSTGRES_PASSWORD: 'pw123' };
  const fill = (value: string) =>
    value.replaceAll(
      /\$\{(\w+)(?::([?-])([^}]*))?\}/g,
      (_, name: string, _kind, rest) => given[name] ?? rest ?? '',
    );
  const entries = Object.entries<string>(services.gateway.environment);
  return Object.fromEntries(entries.map(([name, value]) => [name, fill(value)]));
}
