import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { chartFolder, chartStamp, type Rendering, renderedPath, renderings } from './chart.ts';
import { findTool, schemaLocation } from './kubernetes-tools.ts';

const names = Object.keys(renderings) as Rendering[];
const [helm, kubeconform] = [findTool('helm'), findTool('kubeconform')];
const folder = mkdtempSync(join(tmpdir(), 'stackgate-chart-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(program: string | undefined, words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program ?? '', words, { encoding: 'utf8' });
  expect({ status, problems: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, problems: '' });
  return stdout;
}

function valuesFile(name: Rendering): string {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify(renderings[name]));
  return path;
}

describe.skipIf(helm === undefined)('the Helm chart', () => {
  it.each(names)('has nothing that Helm warns of: %s', (name) => {
    run(helm, ['lint', '--strict', '--values', valuesFile(name), chartFolder]);
  });

  // After a change of the chart: STACKGATE_RENDER=1 npx vitest run --project integration testing/deploy
  it.each(names)('is rendered to what the other tests read: %s', (name) => {
    const words = ['template', 'stackgate', chartFolder, '--values', valuesFile(name)];
    const rendered = chartStamp() + run(helm, words);
    if (process.env.STACKGATE_RENDER === '1') writeFileSync(renderedPath(name), rendered);
    expect(readFileSync(renderedPath(name), 'utf8')).toBe(rendered);
  });
});

describe.skipIf(kubeconform === undefined)('Kubernetes', () => {
  it('knows every field of the chart and of the plain manifests', () => {
    const files = [...names.map(renderedPath), join(chartFolder, '..', 'kubernetes', 'stackgate.yaml')];
    run(kubeconform, ['-strict', '-summary', '-schema-location', schemaLocation, ...files]);
  });
});
