import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../testing/certificates.mjs';
import { copyMigratedTemplate } from '../../testing/migrated-template.ts';
import { dockerIgnore } from './docker-ignore.ts';
import { execForm, instructionsOf, readDockerfile, type Stage } from './dockerfile.ts';
import { contextFiles, rehearseStage } from './rehearse-stage.ts';
import { sourceText } from './source-tree.ts';
import { startServer } from './start-server.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const nodeImage = 'node:24-bookworm-slim';
const stages = readDockerfile(sourceText('Dockerfile'));
const image = lastOf(stages);

describe('the Dockerfile', () => {
  it('starts every stage from the same Node 24, pinned to a distribution', () => {
    expect(stages.map(({ base }) => base)).toEqual([nodeImage, nodeImage]);
  });

  it('copies only what the repository has and .dockerignore lets through', () => {
    const copies = stages.flatMap((stage) => instructionsOf(stage, 'COPY'));
    const sources = copies
      .filter(({ flags }) => flags.from === undefined)
      .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1));
    expect(sources).toContain('src');
    expect(sources.filter((source) => contextFiles(source).length === 0)).toEqual([]);
  });

  it('copies only from stages that come before', () => {
    const froms = stages.flatMap((stage, at) =>
      instructionsOf(stage, 'COPY').flatMap(({ flags }) => (flags.from ? [{ at, from: flags.from }] : [])),
    );
    expect(froms).not.toEqual([]);
    for (const { at, from } of froms) expect(stages.slice(0, at).map(({ name }) => name)).toContain(from);
  });

  it('leaves the tools of development and the scripts of packages behind', () => {
    const [build] = stages;
    if (build === undefined) throw new Error('there is no stage');
    const commands = instructionsOf(build, 'RUN').map(({ rest }) => rest);
    expect(commands).toEqual([
      'npm ci --ignore-scripts',
      'npm run build',
      'npm prune --omit=dev --ignore-scripts',
    ]);
  });

  it('runs as a user that is not root and owns the data folder', () => {
    const user = lastOf(instructionsOf(image, 'USER')).rest;
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    const data = environmentOf(image).STACKGATE_DATA;
    expect(lastOf(instructionsOf(image, 'VOLUME')).rest).toBe(data);
    const keywords = image.instructions.map(({ keyword }) => keyword);
    expect(keywords.lastIndexOf('RUN')).toBeLessThan(keywords.indexOf('USER'));
    // In the official image the user "node" has the id 1000.
    expect(user).toBe('1000:1000');
    const commands = instructionsOf(image, 'RUN').map(({ rest }) => rest);
    expect(commands.join('\n')).toContain(`install -d -m 0700 -o node -g node ${data}`);
  });

  it('sets only variables that the configuration knows, and what `npm start` sets for the C library', () => {
    const { MALLOC_ARENA_MAX: arenas, ...ours } = environmentOf(image);
    const documented = sourceText('docs/configuration.md');
    for (const name of Object.keys(ours)) expect(documented).toContain(`\`${name}\``);
    expect(sourceText('package.json')).toContain(`MALLOC_ARENA_MAX=\${MALLOC_ARENA_MAX:-${arenas}}`);
    expect(lastOf(instructionsOf(image, 'EXPOSE')).rest).toBe(environmentOf(image).STACKGATE_PORT);
  });
});

describe('what the Dockerfile builds', () => {
  const folder = new TemporaryFolder();
  const inImage = (path: string) => (path.startsWith('/') ? folder.at('image', path) : path);
  const startCommand = (['ENTRYPOINT', 'CMD'] as const).flatMap((keyword) =>
    execForm(lastOf(instructionsOf(image, keyword)).rest),
  );

  beforeAll(async () => {
    const earlier: Record<string, string> = {};
    for (const stage of stages) {
      const at = folder.at(stage.name ?? 'image');
      rehearseStage({ stage, folder: at, earlier });
      if (stage.name !== undefined) earlier[stage.name] = at;
    }
    await copyMigratedTemplate(inImage('/data'));
  });

  afterAll(() => folder[Symbol.dispose]());

  it('has the file of the start command, run by node itself so that signals reach it', () => {
    expect(startCommand[0]).toBe('node');
    expect(existsSync(inImage(startCommand[1] ?? ''))).toBe(true);
    for (const { rest } of instructionsOf(image, 'RUN')) {
      const [, target = ''] = /ln -s (\S+)/.exec(rest) ?? [];
      expect(target).toBe(startCommand[1]);
    }
  });

  it('serves, is found healthy while it does, and ends at SIGTERM', async () => {
    const { STACKGATE_DATA = '' } = environmentOf(image);
    const { rest: workFolder } = lastOf(instructionsOf(image, 'WORKDIR'));
    folder.endAtOnce('image', workFolder);
    await using server = await startServer({
      command: [process.execPath, ...startCommand.slice(1).map(inImage)],
      cwd: inImage(workFolder),
      environment: { STACKGATE_HOST: '127.0.0.1', STACKGATE_DATA: inImage(STACKGATE_DATA) },
    });
    const { port } = new URL(server.url);
    expect(await checkHealth(port)).toBe(0);
    expect(await server.stop()).toBe(0);
    expect(await checkHealth(port)).toBe(1);
  });

  it('is found healthy behind TLS too, whatever name its certificate has', async () => {
    const { certificate: cert, key } = makeCertificate();
    let status = 200;
    const server = createServer({ cert, key }, (asked, answer) => {
      answer.writeHead(asked.url === '/healthz' ? status : 404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await checkHealth(String(port))).toBe(0);
    status = 503;
    expect(await checkHealth(String(port))).toBe(1);
    server.close();
  });

  /** The exit code of the image's health check. */
  async function checkHealth(port: string): Promise<number | null> {
    const { rest } = lastOf(instructionsOf(image, 'HEALTHCHECK'));
    const [, ...words] = execForm(rest.replace(/^CMD\s+/, ''));
    const environment = { STACKGATE_PORT: port };
    const child = spawn(process.execPath, words.map(inImage), { env: environment, timeout: 20_000 });
    const [code] = await once(child, 'exit');
    return code;
  }
});

describe('.dockerignore', () => {
  it.each(['.env', 'stackgate.env', 'stackgate.yaml', 'data/default-key', '.git/config', '.npmrc'])(
    'keeps %s out of the image',
    (path) => expect(dockerIgnore(sourceText('.dockerignore'))(path)).toBe(true),
  );
});

function environmentOf(stage: Stage): Readonly<Record<string, string>> {
  const settings = instructionsOf(stage, 'ENV').flatMap(({ rest }) => rest.split(/\s+/));
  return Object.fromEntries(settings.map((setting) => setting.split('=', 2)));
}

function lastOf<Item>(items: readonly Item[]): Item {
  const last = items.at(-1);
  if (last === undefined) throw new Error('there is none');
  return last;
}
