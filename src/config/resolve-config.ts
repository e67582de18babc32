import { dirname, resolve } from 'node:path';
import { camelKeys } from './camel-keys.ts';
import type { BackupsConfig, Config } from './config.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { EnvironmentOverrides } from './environment-overrides.ts';
import type { FileValues } from './file-schema.ts';
import { mapEngines, resolveEngines } from './resolve-engines.ts';
import { resolveBucket } from './resolve-sources.ts';
import { resolveLimits, resolveStack } from './resolve-stacks.ts';
import { Secret } from './secret.ts';

export interface CheckedValues {
  readonly values: FileValues;
  readonly overrides: EnvironmentOverrides;
  readonly workingDirectory: string;
  /** Absolute; absent if there is no file. */
  readonly filePath: string | undefined;
}

/** Applies the environment, makes paths absolute, wraps secrets and freezes the result. */
export function resolveConfig({ values, overrides, workingDirectory, filePath }: CheckedValues): Config {
  const folder = filePath === undefined ? workingDirectory : dirname(filePath);
  const resolvePath = (path: string): string => resolve(folder, path);
  const engines = resolveEngines(values.engines, resolvePath);
  const blobs = values.blobs && resolveBucket(values.blobs);
  const databaseUrl = overrides.databaseUrl ?? values.database?.url;
  const { otlp_endpoint, sample_ratio } = values.telemetry;
  return deepFreeze<Config>({
    ...(filePath !== undefined && { file: filePath }),
    server: resolveServer(values.server, overrides, resolvePath),
    dataDir: overrides.dataDir ? resolve(workingDirectory, overrides.dataDir) : resolvePath(values.data_dir),
    ...(databaseUrl !== undefined && { database: { url: new Secret(databaseUrl) } }),
    ...(blobs && { blobs }),
    ...(values.backups && { backups: resolveBackups(values.backups, resolvePath) }),
    log: { ...camelKeys(values.log), level: overrides.logLevel ?? values.log.level },
    retention: camelKeys(values.retention),
    files: camelKeys(values.files),
    extraction: camelKeys(values.extraction),
    console: resolveConsole(values.console),
    telemetry: {
      sampleRatio: sample_ratio,
      ...(otlp_endpoint !== null && { otlpEndpoint: otlp_endpoint.replace(/\/+$/, '') }),
    },
    engines,
    plans: resolvePlans(values.plans),
    prices: { ...values.prices, models: mapEngines(values.prices.models, camelKeys) },
    budgets: resolveBudgets(values.budgets),
    stacks: values.stacks.map((stack) => resolveStack(stack, { engines, blobs, resolvePath })),
    usesDefaultStack: values.stacks.length === 0,
  });
}

function resolveServer(
  server: FileValues['server'],
  overrides: EnvironmentOverrides,
  resolvePath: (path: string) => string,
): Config['server'] {
  const { host, port, public_url, signing_secret, tls, ...rest } = server;
  return {
    ...camelKeys(rest),
    host: overrides.host ?? host,
    port: overrides.port ?? port,
    ...(tls !== undefined && {
      tls: { certificate: resolvePath(tls.certificate), key: resolvePath(tls.key) },
    }),
    ...(public_url !== null && { publicUrl: public_url.replace(/\/+$/, '') }),
    ...(signing_secret !== null && { signingSecret: new Secret(signing_secret) }),
  };
}

function resolveConsole({ enabled, oidc }: FileValues['console']): Config['console'] {
  if (oidc === undefined) return { enabled };
  const { issuer, client_id, client_secret, roles } = oidc;
  const { claim, operator, read_only, member } = roles;
  return {
    enabled,
    oidc: {
      issuer: issuer.replace(/\/+$/, ''),
      clientId: client_id,
      ...(client_secret !== undefined && { clientSecret: new Secret(client_secret) }),
      roles: { claim, operator: [operator].flat(), readOnly: [read_only].flat(), member },
    },
  };
}

function resolvePlans(plans: FileValues['plans']): Config['plans'] {
  return {
    go: resolveLimits(plans.go),
    pro: resolveLimits(plans.pro),
    max: resolveLimits(plans.max),
    enterprise: resolveLimits(plans.enterprise),
  };
}

function resolveBudgets({ webhook, accounts }: FileValues['budgets']): Config['budgets'] {
  return {
    ...(webhook !== undefined && { webhook: { url: webhook.url, secret: new Secret(webhook.secret) } }),
    accounts: mapEngines(accounts, camelKeys),
  };
}

function resolveBackups(
  { to, passphrase_file, ...rest }: NonNullable<FileValues['backups']>,
  resolvePath: (path: string) => string,
): BackupsConfig {
  const { secret_access_key, ...plain } = rest;
  return {
    ...camelKeys(plain),
    to: to.startsWith('s3://') ? to : resolvePath(to),
    ...(passphrase_file !== undefined && { passphraseFile: resolvePath(passphrase_file) }),
    ...(secret_access_key !== undefined && { secretAccessKey: new Secret(secret_access_key) }),
  };
}
