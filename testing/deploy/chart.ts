import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The folder of the Helm chart. */
export const chartFolder = join(root, 'deploy', 'helm');

/** Values of the chart, by the names of the files with their renderings. */
export const renderings = {
  'with-defaults': {},
  'with-everything': {
    config: `server: { trust_proxy: true, tls: { certificate: /tls/tls.crt, key: /tls/tls.key } }
blobs: { url: "s3://stackgate", region: us-east-1 }
`,
    tlsSecretName: 'gateway-tls',
    autoscaling: { enabled: true },
    networkPolicy: { from: [{ podSelector: { matchLabels: { app: 'proxy' } } }] },
    nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    tolerations: [{ key: 'gateways', operator: 'Exists', effect: 'NoSchedule' }],
  },
  'with-volumes': { persistence: { enabled: true, storageClass: 'fast' } },
} as const;

export type Rendering = keyof typeof renderings;

/** The file with what Helm made of the chart. */
export function renderedPath(name: Rendering): string {
  return fileURLToPath(new URL(`./rendered/${name}.yaml`, import.meta.url));
}

/** The first line of a rendered file; another one for another chart. */
export function chartStamp(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(chartFolder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (/\.(yaml|tpl)$/.test(name)) hash.update(`${name}\n`).update(readFileSync(join(chartFolder, name)));
  }
  return `# helm template of deploy/helm, chart ${hash.digest('hex').slice(0, 16)}\n`;
}

/** Reads a file of the repository. */
export function repositoryText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
