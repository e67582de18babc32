// An MCP server with one tool, which speaks JSON-RPC on its standard input and output.
import { createInterface } from 'node:readline';

const schema = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] };
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'lamp', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [{ name: 'light', description: 'Lights the lamp.', inputSchema: schema }] }),
  'tools/call': ({ arguments: { colour } }) => ({
    content: [{ type: 'text', text: `the lamp is ${colour}` }],
  }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = answers[method]?.(params) ?? {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}
