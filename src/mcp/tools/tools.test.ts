import { expect, it } from 'vitest';
import { z } from 'zod';
import { makeCaller } from '../../../testing/fake-callers.ts';
import { FakeMeter } from '../../../testing/fake-meter.ts';
import { MemoryGallery } from '../../../testing/images/memory-gallery.ts';
import type { Caller } from '../../access/caller.ts';
import type { KeyRestrictions } from '../../access/key-guard.ts';
import type { ExtractionRequest } from '../../documents/extraction-request.ts';
import { Fault } from '../../faults/fault.ts';
import type { ImageRequest } from '../../images/image-request.ts';
import type { FoundChunk } from '../../knowledge/knowledge-search.ts';
import type { GenerateOrder } from '../../pdf/wire/generate-request.ts';
import { isOpenTo, type McpTool, type McpToolResult } from '../tool.ts';
import { allTools, type ToolSources } from './all-tools.ts';

const signal = new AbortController().signal;
const unrestricted: KeyRestrictions = { scopes: undefined, allowedIps: undefined, readOnly: false };
const png = Buffer.from('89504e470d0a1a0a00', 'hex');
const jpeg = Buffer.from('ffd8ff00', 'hex');
const pdf = Buffer.from('%PDF-1.7');
const fileId = 'file_00019a1b2c3d4e5f60718293a4b5c6d7';
const expiresAt = new Date('2026-11-18T12:00:00Z');
const chunk = (text: string, more: Partial<FoundChunk> = {}): FoundChunk => ({
  documentId: 'doc_1',
  documentName: 'handbook.md',
  position: 0,
  headings: [],
  score: 2,
  words: 1,
  meaning: 0.5,
  relevance: 0.81234,
  text,
  ...more,
});

/** Fake services that note their questions. */
interface World {
  readonly asked: unknown[];
  readonly sources: ToolSources;
  found: readonly FoundChunk[];
}

function world(): World {
  const asked: unknown[] = [];
  const made: World = { asked, found: [], sources: {} as ToolSources };
  const sources: ToolSources = {
    images: {
      engineOf: () => undefined,
      isOpenTo: ({ stack }) => stack.imagePlan,
      paint: async (_caller: Caller, request: ImageRequest) => {
        asked.push(request);
        const { files: _files, route: _route, ...order } = request;
        return {
          id: 'img_1',
          createdAt: expiresAt,
          model: 'flux',
          order: { ...order, seed: order.seed ?? 5n },
          png,
          timings: { queueWaitMs: 0, decodeMs: undefined, paintMs: 1, encodeMs: 1 },
          unknownWords: ['sad', 'staff'],
        };
      },
    },
    pictures: {
      preview: async () => ({
        type: 'preview',
        bytes: jpeg,
        mediaType: 'image/jpeg',
        width: 1,
        height: 1,
      }),
    },
    links: {
      sign: async ({ method, id }) => ({ path: `/files/${id}?${method}`, expiresAt }),
    },
    gallery: Object.assign(new MemoryGallery(), {
      readPng: async (_stack: string, id: string) => (id === 'img_7' ? png : undefined),
      find: async () => undefined,
    }),
    files: {
      content: async (_caller, id) => {
        if (id !== fileId) throw new Fault('invalid-request', 'no such file');
        return { id, name: 'scan.pdf', bytes: pdf };
      },
      add: async (_caller, { bytes, ...described }) => {
        asked.push(described);
        return stored(described.name, bytes.byteLength);
      },
      reserve: async (_caller, described) => {
        asked.push(described);
        return stored(described.name, described.sizeBytes);
      },
    },
    extraction: {
      extract: async (_caller: Caller, request: ExtractionRequest) => {
        asked.push(request);
        const usage = { promptTokens: 1, completionTokens: 1 };
        return { data: { total: 3 }, pages: 2, files: 1, ocrUsed: false, usage };
      },
    },
    pdf: {
      generate: async (_caller: Caller, order: GenerateOrder) => {
        asked.push(order);
        return { bytes: pdf, pages: 1, blockedReferences: 3 };
      },
    },
    search: {
      search: async (_stack, _question, { most }) => made.found.slice(0, most),
    },
    text: { count: async (_caller, { conversation }) => JSON.stringify(conversation.turns).length },
  };
  return Object.assign(made, { sources });
}

function stored(name: string, sizeBytes: number) {
  const base = { id: fileId, accountId: 'acme', stackId: 'shop', keyId: 'web', name, purpose: 'user_data' };
  return { ...base, sizeBytes, createdAt: expiresAt, expiresAt, sha256: '' };
}

function toolOf(name: string, { sources }: World): McpTool {
  const found = allTools(sources).find((known) => known.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
}

async function call(name: string, input: object, made: World, caller = makeCaller()): Promise<McpToolResult> {
  const called = toolOf(name, made);
  const work = {
    caller,
    meter: new FakeMeter(),
    signal,
    origin: 'https://gate.example',
    holdMemory: () => {},
  };
  const result = await called.call(called.input.parse(input), work);
  if (called.output !== undefined) expect(called.output.parse(result.data)).toEqual(result.data);
  return result;
}

it('offers tools by what a key may do', () => {
  const named = (caller: Caller) =>
    allTools(world().sources)
      .filter((known) => isOpenTo(known, caller))
      .map(({ name }) => name);
  const always = ['extract_document', 'generate_pdf', 'count_tokens', 'upload_file'];
  expect(named(makeCaller({ stack: { imagePlan: false } }))).toEqual(always);
  expect(named(makeCaller({ key: { retrieval: true } }))).toEqual([
    'generate_image',
    'edit_image',
    'extract_document',
    'generate_pdf',
    'search_knowledge',
    'count_tokens',
    'upload_file',
  ]);
  const restricted = (restrictions: Partial<KeyRestrictions>) =>
    named(makeCaller({ key: { knowledge: 'read', restrictions: { ...unrestricted, ...restrictions } } }));
  expect(restricted({ scopes: ['mcp', 'extract', 'files'] })).toEqual(['extract_document', 'upload_file']);
  expect(restricted({ readOnly: true })).toEqual(['search_knowledge', 'count_tokens']);
});

it('takes no reference that the key may not see', async () => {
  const key = { ownImagesOnly: true };
  const edited = call('edit_image', { prompt: 'blue', images: ['img_7'] }, world(), makeCaller({ key }));
  await expect(edited).rejects.toMatchObject({ code: 'image-not-found' });
});

it('describes all tools in few words, since every request of an agent carries them', () => {
  const described = allTools(world().sources).map(({ name, title, description, input, output }) => ({
    name,
    title,
    description,
    inputSchema: z.toJSONSchema(input),
    ...(output !== undefined && { outputSchema: z.toJSONSchema(output) }),
  }));
  // Under 2,000 tokens: JSON has three to four characters for each.
  expect(JSON.stringify(described).length).toBeLessThan(6_000);
});

it('paints, and answers with a preview, the seed and a link', async () => {
  const made = world();
  const result = await call('generate_image', { prompt: 'a fox', size: '1536x1024', seed: 9 }, made);
  expect(made.asked).toMatchObject([{ route: 'generations', prompt: 'a fox', width: 1536, seed: 9n }]);
  expect(result).toEqual({
    text: 'Image img_1, 1536x1024, seed 9. PNG, for one hour: https://gate.example/files/img_1?GET Words of the prompt that the model does not know: sad, staff.',
    picture: { bytes: jpeg, mediaType: 'image/jpeg' },
    link: {
      url: 'https://gate.example/files/img_1?GET',
      name: 'img_1.png',
      mediaType: 'image/png',
      sizeBytes: png.length,
    },
  });
});

it('edits images of the gallery and uploaded files', async () => {
  const made = world();
  await call('edit_image', { prompt: 'winter', images: ['img_7', fileId], steps: 2 }, made);
  expect(made.asked).toMatchObject([{ route: 'edits', prompt: 'winter', steps: 2, files: [png, pdf] }]);
  await expect(call('edit_image', { prompt: 'winter', images: ['img_8'] }, made)).rejects.toThrow('img_8');
});

it('extracts from an upload or a data URI, by the kind of the file', async () => {
  const made = world();
  const schema = { type: 'object', properties: { total: { type: 'number' } } };
  const result = await call('extract_document', { file: fileId, schema, instructions: 'Sum' }, made);
  expect(result.data).toEqual({ data: { total: 3 }, pages: 2, ocr_used: false });
  const picture = `data:image/png;base64,${png.toString('base64')}`;
  await call('extract_document', { file: picture, schema, citations: true }, made);
  expect(made.asked).toMatchObject([
    { route: 'documents', schema: JSON.stringify(schema), user: 'Sum', files: [{ name: 'scan.pdf' }] },
    { route: 'images', citations: true, files: [{ bytes: png }] },
  ]);
});

it('refuses a data URI that is none, or too large', async () => {
  const refused = (file: string) => call('extract_document', { file, schema: {} }, world());
  await expect(refused('data:,hello')).rejects.toThrow('base64');
  const large = Buffer.alloc(1024 * 1024 + 1).toString('base64');
  await expect(refused(`data:application/pdf;base64,${large}`)).rejects.toThrow('upload_file');
});

it('keeps a PDF as a file, and answers with a link to it', async () => {
  const made = world();
  const result = await call('generate_pdf', { html: '<h1>Hi</h1>', name: 'letter.pdf' }, made);
  expect(made.asked).toMatchObject([
    { mode: 'direct', html: '<h1>Hi</h1>' },
    { name: 'letter.pdf', keepSeconds: 86_400 },
  ]);
  expect(result.text).toContain(`PDF ${fileId}, 1 page, 8 bytes`);
  expect(result).not.toHaveProperty('data');
  expect(result.link).toMatchObject({ mediaType: 'application/pdf', name: 'letter.pdf' });
  await call('generate_pdf', { instruction: 'A letter' }, made);
  expect(made.asked).toContainEqual(expect.objectContaining({ mode: 'instruction', user: 'A letter' }));
});

it('finds passages, and never answers with more than 10,000 characters of them', async () => {
  const made = world();
  made.found = [chunk('first', { page: 3 }), ...Array.from({ length: 6 }, () => chunk('x'.repeat(3_000)))];
  const { data } = await call('search_knowledge', { query: 'What?' }, made);
  const passages = data?.passages as readonly { readonly text: string }[];
  expect(passages[0]).toEqual({
    document_id: 'doc_1',
    document: 'handbook.md',
    page: 3,
    score: 0.812,
    text: 'first',
  });
  expect(passages.map(({ text }) => text.length)).toEqual([5, 3_000, 3_000, 3_000]);
  made.found = [chunk('x'.repeat(20_000))];
  const long = await call('search_knowledge', { query: 'What?', limit: 1 }, made);
  expect(long.data).toMatchObject({ passages: [{ text: 'x'.repeat(10_000) }] });
});

it('counts the tokens of a text or of messages, not of both', async () => {
  const text = await call('count_tokens', { text: 'Hi' }, world());
  const messages = await call('count_tokens', { messages: [{ role: 'user', content: 'Hi' }] }, world());
  expect(text.data).toEqual(messages.data);
  await expect(call('count_tokens', {}, world())).rejects.toThrow('`text` or `messages`');
});

it('gives an id and the line that uploads a file, whatever its name', async () => {
  const made = world();
  const { data } = await call('upload_file', { name: "it's a scan.pdf", size: 9 }, made);
  expect(data).toMatchObject({
    id: fileId,
    url: `https://gate.example/files/${fileId}?PUT`,
    command: String.raw`curl -sS -T 'it'\''s a scan.pdf' 'https://gate.example/files/${fileId}?PUT'`,
  });
});
