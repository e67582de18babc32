import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyCharacter } from '../../testing/fuzz/any-character.ts';
import { valueArbitrary } from '../../testing/fuzz/value-arbitrary.ts';
import { type Call, call, jsonCall } from '../../testing/http-call.ts';
import { goodKey, HttpGateway } from '../../testing/http-gateway.ts';
import { FakeImageEngine } from '../../testing/images/fake-image-engine.ts';
import { imageService } from '../../testing/images/image-service.ts';
import { multipartBody, multipartType, type TestPart } from '../../testing/multipart.ts';
import { isRecord, type Schema } from '../../testing/schema-problems.ts';
import { FakeTextEngine } from '../../testing/text/fake-text-engine.ts';
import { mutationsOf } from '../../testing/text/mutations.ts';
import { PictureProcess } from '../pictures/picture-process.ts';
import { openApiDocument } from './open-api.ts';

const RUNS = 120;
const pictures = new PictureProcess();
// Not ready, so that nothing is painted: that takes long.
const painter = new FakeImageEngine();
painter.state = 'starting';
const gateway = await HttpGateway.start({
  engines: [['gpu', new FakeTextEngine()]],
  images: imageService([['flux', painter]], { pictures }),
});
const document = openApiDocument(gateway.routes, '0.0.0');
const operations = Object.entries(document.paths as Record<string, Record<string, Schema>>).flatMap(
  ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const schemaFor = (operation: Schema, type: string): Schema | undefined => {
  const body = isRecord(operation.requestBody) ? operation.requestBody.content : undefined;
  const content = isRecord(body) ? body[type] : undefined;
  return isRecord(content) && isRecord(content.schema) ? content.schema : undefined;
};
const pathsTaking = (type: string) =>
  operations.flatMap(({ path, operation }) => {
    const schema = schemaFor(operation, type);
    return schema === undefined ? [] : [[path, schema] as const];
  });

let startedMb: number;
beforeAll(() => {
  startedMb = process.memoryUsage.rss() / 2 ** 20;
});
afterAll(async () => {
  expect(await gateway.inFlight()).toBe(0);
  await gateway[Symbol.asyncDispose]();
  await pictures.close(AbortSignal.timeout(10_000));
  expect(process.memoryUsage.rss() / 2 ** 20 - startedMb).toBeLessThan(1_000);
});

/** Sends the request and checks the answer against the API description and the family; a 500 is always a bug. */
async function survives(request: Call): Promise<void> {
  const { status } = await call(gateway, request);
  expect(status, JSON.stringify(request.body)?.slice(0, 500)).not.toBe(500);
}

/** Streams have no length; other tests read them. */
const unstreamed = (body: unknown): unknown =>
  isRecord(body) && 'stream' in body ? { ...body, stream: false } : body;

describe.each(pathsTaking('application/json'))('POST %s', (path, schema) => {
  const bodies = valueArbitrary(schema, document);

  test('answers what its description allows as its description says', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, (body) => survives(jsonCall(path, goodKey, JSON.stringify(unstreamed(body))))),
      { numRuns: RUNS },
    );
  });

  test('answers what it does not allow as its description says', async () => {
    await fc.assert(
      fc.asyncProperty(bodies.chain(mutationsOf), (body) =>
        survives(jsonCall(path, goodKey, JSON.stringify(unstreamed(body)) ?? '')),
      ),
      { numRuns: RUNS },
    );
  });
});

describe.each(pathsTaking('multipart/form-data'))('POST %s as a form', (path, schema) => {
  const names = Object.keys(fieldsOf(schema));
  const part: fc.Arbitrary<TestPart> = fc.oneof(
    fc.record({
      name: fc.constantFrom(...names, 'other', ''),
      text: fc.oneof(
        fc.string({ unit: anyCharacter }),
        fc.constantFrom('{}', '4', '-1', '1024x1024', '{"type":"object"}'),
      ),
    }),
    fc.record({
      name: fc.constantFrom(...names, 'other'),
      fileName: fc.string({ unit: fc.constantFrom('a', 'é', '.', '/', ' ') }),
      bytes: fc.uint8Array({ maxLength: 200 }),
    }),
  );

  test('answers random forms as its description says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), (parts) =>
        survives({
          method: 'POST',
          path,
          key: goodKey,
          headers: { 'content-type': multipartType },
          body: multipartBody(parts),
        }),
      ),
      { numRuns: RUNS },
    );
  });
});

describe.each(operations.map(({ method, path }) => [method.toUpperCase(), path] as const))(
  '%s %s',
  (method, path) => {
    const letters = fc.string({
      unit: fc.constantFrom('a', '%', '2', 'F', '/', '.', '-', '_', '0'),
      maxLength: 12,
    });
    const headers = fc.dictionary(
      fc.constantFrom(
        'accept',
        'content-type',
        'authorization',
        'x-api-key',
        'if-none-match',
        'anthropic-version',
        'expect',
      ),
      fc.constantFrom(
        '',
        'x',
        'application/json',
        'text/plain',
        '*/*',
        'Bearer',
        `Bearer ${goodKey}`,
        'multipart/form-data',
        '"x"',
      ),
      { maxKeys: 3 },
    );

    test('answers any query, any parameter and odd headers as its description says', async () => {
      await fc.assert(
        fc.asyncProperty(letters, letters, headers, async (id, query, odd) => {
          const filled = path.replace(/\{\w+\}/gu, encodeURIComponent(id) || 'x');
          const { expect: expectation, ...known } = odd;
          const more = expectation === undefined ? known : { ...known, 'x-expect': expectation };
          await survives({
            method,
            path: `${filled}?limit=${query}&cursor=${query}`,
            key: goodKey,
            headers: more,
          });
        }),
        { numRuns: RUNS / 3 },
      );
    });
  },
);

function fieldsOf(schema: Schema): Readonly<Record<string, unknown>> {
  const name =
    String(schema.$ref ?? '')
      .split('/')
      .at(-1) ?? '';
  const schemas = isRecord(document.components) ? document.components.schemas : undefined;
  const found = isRecord(schemas) ? schemas[name] : schema;
  return isRecord(found) && isRecord(found.properties) ? found.properties : {};
}
