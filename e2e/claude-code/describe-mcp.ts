import { describe, expect, it } from 'vitest';
import { PdfWriter, writtenLines } from '../../testing/reading/pdf-writer.ts';
import { type ClaudeGateway, keyOf } from './claude-gateway.ts';

const NAMES = ['generate_image', 'generate_pdf', 'extract_document'].map((name) => `mcp__stackgate__${name}`);
const [PAINT = '', PRINT = '', EXTRACT = ''] = NAMES;

/** The tools of the gateway, called by a model that the gateway serves too. */
export function describeMcp(claudeGateway: () => ClaudeGateway): void {
  describe('with the tools of the gateway', () => {
    it('paints, prints and extracts', async () => {
      const claude = claudeGateway();
      claude.takeChats();
      const file = `data:application/pdf;base64,${invoicePdf().toString('base64')}`;
      const schema = { type: 'object', properties: { total: { type: 'number' } } };
      claude.upstream.respond(
        { toolCalls: [{ name: 'ToolSearch', arguments: { query: `select:${NAMES.join(',')}` } }] },
        { toolCalls: [{ name: PAINT, arguments: { prompt: 'a red fox', seed: 7 } }] },
        { toolCalls: [{ name: PRINT, arguments: { html: '<h1>Hello</h1>' } }] },
        { toolCalls: [{ name: EXTRACT, arguments: { file, schema } }] },
        { text: '{"total": 12.5}' },
        { text: 'All is done.' },
      );
      const servers = {
        mcpServers: {
          stackgate: {
            type: 'http',
            url: `${claude.gateway.url}/mcp`,
            headers: { Authorization: `Bearer ${keyOf('usual')}` },
          },
        },
      };
      const argv = ['--output-format', 'json', '--mcp-config', 'mcp.json', '--allowedTools', NAMES.join(',')];
      await using run = claude.run('Do it.', { argv, files: { 'mcp.json': JSON.stringify(servers) } });
      expect(await run.result()).toMatchObject({ is_error: false, result: 'All is done.' });
      const results = JSON.stringify(claude.takeChats().at(-1)?.messages);
      expect(results).toMatch(/Image img_\w+, 1024x1024, seed 7/);
      expect(results).toMatch(/PDF file_\w+, 1 page/);
      expect(results).toMatch(/12\.5/);
      const answers = await claude.takeAnswers(8);
      expect(new Set(answers)).toEqual(new Set(['/mcp 200', '/v1/messages 200']));
      expect(answers.filter((answer) => answer === '/v1/messages 200')).toHaveLength(5);
    });
  });
}

function invoicePdf(): Buffer {
  const writer = new PdfWriter();
  const content = writtenLines(['Invoice 4711', 'Total: 12.50 EUR']);
  writer.addPage({ content, fonts: { F: writer.standardFont() } });
  return writer.build();
}
