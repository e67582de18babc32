import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { HttpGateway } from '../http-gateway.ts';
import { parseTestConfig } from '../parse-test-config.ts';
import { chartStamp, type Rendering, renderedPath, renderings, repositoryText } from './chart.ts';

const { version } = JSON.parse(repositoryText('package.json'));
const dockerfile = repositoryText('Dockerfile');
const inImage = {
  port: Number(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]),
  config: /^WORKDIR (\/config)$/m.exec(dockerfile)?.[1],
  data: /^VOLUME (\S+)$/m.exec(dockerfile)?.[1],
  user: Number(/^USER (\d+):/m.exec(dockerfile)?.[1]),
};
/** The delay after SIGTERM, and the time for running requests to finish. */
const drainSeconds = 5 + 30;
const secrets = { S3_KEY: 'k', S3_SECRET: 's', DATABASE_URL: 'postgres://u:p@database/stackgate' };

const rendered = Object.keys(renderings) as Rendering[];
const sources: readonly (readonly [string, string])[] = [
  ...rendered.map((name) => [name, readFileSync(renderedPath(name), 'utf8')] as const),
  ['without Helm', repositoryText('deploy/kubernetes/stackgate.yaml')],
];

let gateway: HttpGateway;
beforeAll(async () => {
  gateway = await HttpGateway.start();
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

/** Whether a set of labels is chosen by a selector. */
const chooses = (selector: object, labels: object) =>
  Object.entries(selector).every(([name, value]) => new Map(Object.entries(labels)).get(name) === value);

/** Every open route: probes have no key. */
const openPaths = () => gateway.routes.flatMap(({ access, path }) => (access === 'open' ? [path] : []));

it('the rendered chart is that of deploy/helm', () => {
  for (const [name, text] of sources.slice(0, rendered.length)) {
    const stamp = text.slice(0, text.indexOf('\n') + 1);
    expect({ name, stamp }).toEqual({ name, stamp: chartStamp() });
  }
});

describe.each(sources)('the manifests %s', (name, text) => {
  const all = parseAllDocuments(text).map((document) => document.toJS());
  const of = (kind: string) => all.find((each) => each?.kind === kind);
  const hasVolumes = name === 'with-volumes';
  const { spec: deployment, metadata } = of(hasVolumes ? 'StatefulSet' : 'Deployment');
  const pod = deployment.template;
  const [container] = pod.spec.containers;
  const isSecured = name === 'with-everything';

  it('run this version, as the image is made for', () => {
    expect(container.image).toBe(`stackgate:${version}`);
    expect(container.ports).toEqual([{ name: 'http', containerPort: inImage.port }]);
    expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: inImage.user });
    const mounts = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
    expect(mounts).toEqual([inImage.config, inImage.data, ...(isSecured ? ['/tls'] : [])]);
    const volumes = pod.spec.volumes.map((volume: { name: string }) => volume.name);
    const claims = (deployment.volumeClaimTemplates ?? []).map(
      (claim: { metadata: { name: string } }) => claim.metadata.name,
    );
    expect(claims).toEqual(hasVolumes ? ['data'] : []);
    expect(container.volumeMounts.map((mount: { name: string }) => mount.name)).toEqual([
      ...volumes,
      ...claims,
    ]);
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds);
  });

  it('ask paths that need no key, in the way in which the gateway listens', () => {
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((kind) => container[kind].httpGet);
    expect(probes.map(({ path }) => path)).toEqual(['/healthz', '/healthz', '/readyz']);
    for (const { path, port, scheme = 'HTTP' } of probes) {
      expect(openPaths()).toContain(path);
      expect([port, scheme]).toEqual(['http', isSecured ? 'HTTPS' : 'HTTP']);
    }
    const found = pod.metadata.annotations;
    expect(found['prometheus.io/port']).toBe(String(inImage.port));
    expect(openPaths()).toContain(found['prometheus.io/path'] ?? '/metrics');
    expect(found['prometheus.io/scheme'] ?? 'http').toBe(isSecured ? 'https' : 'http');
  });

  it('name one another rightly', () => {
    const { labels } = pod.metadata;
    expect(chooses(deployment.selector.matchLabels, labels)).toBe(true);
    expect(chooses(of('Service').spec.selector, labels)).toBe(true);
    expect(of('Service').spec.ports).toEqual([{ name: 'http', port: inImage.port, targetPort: 'http' }]);
    expect(chooses(of('PodDisruptionBudget').spec.selector.matchLabels, labels)).toBe(true);
    const [config] = pod.spec.volumes;
    expect(config.configMap.name).toBe(of('ConfigMap').metadata.name);
    expect(deployment.serviceName).toBe(hasVolumes ? of('Service').metadata.name : undefined);
    const policy = of('NetworkPolicy')?.spec;
    if (policy !== undefined) {
      expect(chooses(policy.podSelector.matchLabels, labels)).toBe(true);
      expect(policy.ingress[0].ports).toEqual([{ protocol: 'TCP', port: inImage.port }]);
    }
    expect(policy === undefined).toBe(name === 'without Helm');
  });

  it('scale by a number that the gateway tells', async () => {
    const scaler = of('HorizontalPodAutoscaler')?.spec;
    expect(scaler === undefined).toBe(!isSecured);
    if (scaler === undefined) return;
    expect(scaler.scaleTargetRef).toMatchObject({ kind: 'Deployment', name: metadata.name });
    expect(deployment.replicas).toBeUndefined();
    const [{ pods }] = scaler.metrics;
    const printed = await fetch(`${gateway.url}/metrics`);
    expect(await printed.text()).toContain(`# TYPE ${pods.metric.name} gauge`);
  });

  it('carry a configuration that the gateway takes', () => {
    const config = parseTestConfig(of('ConfigMap').data['stackgate.yaml'], secrets);
    expect(config).toMatchObject({ blobs: { url: 's3://stackgate' }, server: { trustProxy: true } });
    expect(config.server.tls !== undefined).toBe(isSecured);
  });
});

it('the compose file runs replicas that its proxy knows, with a configuration that they take', () => {
  const { services } = parse(repositoryText('deploy/compose/compose.yaml'));
  const proxy = repositoryText('deploy/compose/nginx.conf');
  const replicas = Array.from(proxy.matchAll(/^ {2}server ([\w-]+):(\d+);/gm), ([, host, port]) => [
    host,
    port,
  ]);
  expect(replicas).toEqual([
    ['gateway-1', String(inImage.port)],
    ['gateway-2', String(inImage.port)],
  ]);
  for (const [replica = ''] of replicas) {
    const { volumes, environment, stop_grace_period: grace } = services[replica];
    expect(volumes).toEqual([`./config:${inImage.config}:ro`]);
    expect(Object.keys(environment)).toEqual(['DATABASE_URL', 'S3_SECRET']);
    expect(Number.parseInt(grace, 10)).toBeGreaterThan(drainSeconds);
  }
  const config = parseTestConfig(repositoryText('deploy/compose/config/stackgate.yaml'), secrets);
  expect(new URL(config.blobs?.endpoint ?? '').hostname in services).toBe(true);
});

it('the systemd unit starts the gateway, reloads it by SIGHUP and leaves it time to end', () => {
  const unit = repositoryText('deploy/systemd/stackgate.service');
  const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
  expect(setting('ExecStart')).toMatch(
    / \S+\/dist\/main\.js serve --config \/etc\/stackgate\/stackgate\.yaml$/,
  );
  expect(setting('ExecReload')).toBe('/bin/kill -HUP $MAINPID');
  expect(Number(setting('TimeoutStopSec'))).toBeGreaterThan(drainSeconds);
  const variables = Array.from(setting('Environment').matchAll(/(STACKGATE_\w+)=/g), ([, name]) => name);
  const documented = repositoryText('docs/configuration.md');
  expect(variables).toEqual(['STACKGATE_DATA']);
  for (const name of variables) expect(documented).toContain(`\`${name}\``);
});
