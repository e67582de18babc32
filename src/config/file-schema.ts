import * as z from 'zod';
import { bucketShape, pathOrBucket } from './bucket-schema.ts';
import { budgetsSchema, pricesSchema } from './budget-schemas.ts';
import { consoleShape } from './console-schema.ts';
import { engineShape } from './engine-schemas.ts';
import { planShape, stacksSchema } from './stack-schemas.ts';
import {
  addressOrRange,
  choice,
  decimal,
  flag,
  httpUrl,
  list,
  mapping,
  section,
  text,
  webOrigin,
  wholeNumber,
} from './value-schemas.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const hostExpected = 'a host name or an IP address';
const databaseExpected = 'a URL that begins with postgres:// or postgresql://';
const bodyMemoryExpected = 'auto, or a whole number of bytes from 67108864 (64 MiB)';
const signingSecretExpected = '32 to 200 printable characters without spaces';
const placeExpected = 'the path of a folder, or a URL such as s3://bucket/prefix';
const timeExpected = 'a time of day such as "03:30"';
const recipientExpected = 'a public key that begins with age1';

/** Also for STACKGATE_HOST. */
export const hostSchema = z.string(hostExpected).regex(/^[A-Za-z0-9._:%-]+$/, hostExpected);
/** Also for STACKGATE_PORT. */
export const portSchema = wholeNumber({ minimum: 0, maximum: 65_535 });
/** Also for STACKGATE_DATA. */
export const pathSchema = text('the path of a folder');
/** Also for DATABASE_URL. */
export const databaseUrlSchema = z
  .string(databaseExpected)
  .regex(/^postgres(ql)?:\/\/\S+$/, databaseExpected);
/** Also for STACKGATE_LOG_LEVEL. */
export const logLevelSchema = choice(logLevels);

const server = section({
  host: hostSchema
    .default('127.0.0.1')
    .describe(
      'Address to listen on; `0.0.0.0` for all IPv4, `::` for all. The variable `STACKGATE_HOST` wins.',
    ),
  port: portSchema
    .default(8080)
    .describe(
      'Port to listen on; 0: any free one, and the ready line prints it. The variable `STACKGATE_PORT` wins.',
    ),
  trust_proxy: z
    .union([flag(), fullAddressList()], 'true, false or a list of addresses')
    .default(false)
    .describe(
      'Proxies whose `X-Forwarded-For` is trusted: none (`false`), all (`true`), or these addresses. Example: `[10.0.0.0/8]`.',
    ),
  drain_delay_seconds: wholeNumber({ minimum: 0, maximum: 3_600 })
    .default(5)
    .describe(
      'Seconds after SIGTERM in which `/readyz` answers 503 and requests are still served, so that load balancers notice; then new ones get 503. SIGINT has no delay.',
    ),
  cors: section({
    origins: list(webOrigin()).describe(
      'Web origins whose pages may call the gateway. Example: `[https://app.example.com]`.',
    ),
  }).describe('Calls from web pages.'),
  body_memory: z
    .union([z.literal('auto'), wholeNumber({ minimum: 67_108_864 })], bodyMemoryExpected)
    .default('auto')
    .describe(
      'Bytes of request bodies in memory at a time, in all; a stack may hold a quarter. Parsed JSON over 1 MiB counts four times. More is answered 503. `auto`: an eighth of the memory, at least 256 MiB.',
    ),
  public_url: httpUrl()
    .nullable()
    .default(null)
    .describe(
      'Address of the gateway as clients see it: for links to files and to the console, and for the way back from a provider of OpenID Connect; absent: the host that a request names. Example: `https://ai.example.com`.',
    ),
  signing_secret: z
    .string(signingSecretExpected)
    .regex(/^[\x21-\x7e]{32,200}$/, signingSecretExpected)
    .nullable()
    .default(null)
    .describe(
      'Signs links to files; a new one ends the links of the old. Absent: made once and kept in the database, for all replicas.',
    ),
  tls: optionalSection(
    mapping({
      certificate: text('the path of a file').describe(
        'File with the certificate in PEM, and those between it and the authority.',
      ),
      key: text('the path of a file').describe('File with the key of the certificate in PEM.'),
    }),
  ).describe(
    'TLS on the listener; absent: plain HTTP. The files are read again at SIGHUP and when they change.',
  ),
  max_connections: wholeNumber({ minimum: 1 })
    .default(10_000)
    .describe('Connections at a time, in all; more are answered 503.'),
  max_connections_per_address: wholeNumber({ minimum: 1 })
    .default(1_000)
    .describe(
      'Connections at a time from one address (IPv6: from one /64); more are answered 503. Addresses that `trust_proxy` names have no such bound.',
    ),
  shared_reads: flag()
    .default(true)
    .describe(
      'Whether connections read into one buffer, which makes long requests cheaper. Only with Node 20, whose insides it uses; switch it off if connections behave oddly.',
    ),
});

function fullAddressList() {
  return z.array(addressOrRange(), 'a list of addresses');
}

const blobs = mapping(bucketShape);

const backups = mapping({
  to: pathOrBucket(placeExpected).describe(
    'Folder, or bucket and prefix, for backups. Example: `s3://bucket/backups`.',
  ),
  schedule: z
    .string(timeExpected)
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, timeExpected)
    .optional()
    .describe(
      'Time of day, in UTC, at which a backup is made every day; absent: only `stackgate backup` makes one. Example: `"03:30"`.',
    ),
  keep: wholeNumber({ maximum: 10_000 })
    .default(14)
    .describe('How many scheduled backups are kept; older ones are removed after a new one was made.'),
  recipients: list(
    z.string(recipientExpected).regex(/^age1[02-9ac-hj-np-z]{58}$/, recipientExpected),
  ).describe('Public keys (age) that backups are encrypted to; `stackgate backup-key` makes a pair.'),
  passphrase_file: text('the path of a file')
    .optional()
    .describe('File with the passphrase that backups are encrypted with, in place of `recipients`.'),
  endpoint: httpUrl()
    .optional()
    .describe('As `blobs.endpoint`; absent: all S3 settings are those of `blobs`.'),
  region: text().optional().describe('As `blobs.region`.'),
  access_key_id: text().optional().describe('As `blobs.access_key_id`.'),
  secret_access_key: text().optional().describe('As `blobs.secret_access_key`.'),
});

const database = mapping({
  url: databaseUrlSchema.describe(
    'Address of the database. The variable `DATABASE_URL` wins. Example: `postgres://user:pw@host/db`.',
  ),
});

/** A blank `database:` or `blobs:` counts as absent. */
function optionalSection<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => value ?? undefined, schema.optional()).optional();
}

/** The whole file, with snake_case keys and every default. */
export const fileSchema = section({
  server: server.describe('Where the gateway listens.'),
  data_dir: pathSchema
    .default('./data')
    .describe(
      'Folder of database, blobs, models and temporary files; created with mode 0700. The variable `STACKGATE_DATA` wins.',
    ),
  database: optionalSection(database).describe('PostgreSQL; absent: an embedded database in `data_dir`.'),
  blobs: optionalSection(blobs).describe(
    'S3 storage for images, files and documents; absent: the folder `blobs` in `data_dir`.',
  ),
  backups: optionalSection(backups).describe('Where [backups](backups.md) go, when, and who can read them.'),
  log: section({
    level: logLevelSchema
      .default('info')
      .describe('Least severity that is logged. The variable `STACKGATE_LOG_LEVEL` wins.'),
    format: choice(['json', 'pretty'])
      .optional()
      .describe('Form of a log line; absent: `pretty` when stdout is a terminal, else `json`.'),
  }).describe('The log, on stdout.'),
  retention: section({
    images_days: wholeNumber({ maximum: 36_500 })
      .default(30)
      .describe('Days after which a stored image is deleted.'),
    files_days: wholeNumber({ maximum: 3_650 })
      .default(30)
      .describe('Days after which an uploaded file is deleted.'),
    responses_days: wholeNumber({ maximum: 36_500 })
      .default(30)
      .describe(
        'Days after which a stored response is deleted; one that others follow stays as long as they do. Conversations: days after the last item.',
      ),
    usage_days: wholeNumber({ maximum: 36_500 })
      .default(400)
      .describe(
        'Days that [usage](usage.md) is kept, today included. While models have prices, the current month is kept in any case.',
      ),
  }).describe('How long things are kept.'),
  files: section({
    max_bytes: wholeNumber({ minimum: 1, maximum: 1_073_741_824 })
      .default(52_428_800)
      .describe('Bytes of the largest file that can be uploaded.'),
  }).describe('Files that clients upload; see [files](files.md).'),
  extraction: section({
    hints: flag()
      .default(false)
      .describe(
        'Whether a model that writes the data itself (`direct`) is also told what the field finder proposes; see [extraction](extraction.md#hints-for-a-model).',
      ),
  }).describe('Extraction from documents, for all stacks.'),
  console: section(consoleShape).describe('The [console](console.md) at `/console`.'),
  telemetry: section({
    otlp_endpoint: httpUrl()
      .nullable()
      .default(null)
      .describe(
        'Address of a collector for traces and metrics by OTLP over HTTP; `/v1/traces` and `/v1/metrics` are appended. Absent: nothing is sent. Example: `http://127.0.0.1:4318`.',
      ),
    sample_ratio: decimal({ minimum: 0, maximum: 1 })
      .default(0.1)
      .describe('Fraction of requests that are traced, unless their client has decided in `traceparent`.'),
  }).describe('Traces and metrics for OpenTelemetry; see [operations](operations.md#tracing).'),
  engines: section(engineShape).describe('What does the work.'),
  plans: section(planShape).describe("Overrides of the plans' limits; what is left out stays as it is."),
  prices: pricesSchema.describe(
    'What models cost; see [usage](usage.md#money). Without prices everything costs nothing.',
  ),
  budgets: budgetsSchema.describe(
    'Budgets of accounts, and the webhook for those that are reached; stacks and keys have theirs as `budget`.',
  ),
  stacks: stacksSchema.describe(
    'Stacks that the file owns; absent: one stack `default` on the plan Max, with one generated key.',
  ),
});

/** The validated file, with defaults. */
export type FileValues = z.output<typeof fileSchema>;
