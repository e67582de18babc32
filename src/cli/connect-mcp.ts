import { KEY_VARIABLE } from './connect-codex.ts';

/** The lines that add the gateway's tools to four clients. Each reads the key from the environment, or asks for it. */
export function mcpLines(url: string): string {
  const address = `${url}/mcp`;
  const vsCode = {
    inputs: [{ type: 'promptString', id: 'key', description: 'Key of Stackgate', password: true }],
    servers: {
      stackgate: { type: 'http', url: address, headers: { Authorization: `Bearer $${'{input:key}'}` } },
    },
  };
  const cursor = {
    mcpServers: {
      stackgate: { url: address, headers: { Authorization: `Bearer $${`{env:${KEY_VARIABLE}}`}` } },
    },
  };
  return `# Claude Code
claude mcp add --transport http stackgate ${address} --header "Authorization: Bearer $${KEY_VARIABLE}"

# Codex, in ~/.codex/config.toml
[mcp_servers.stackgate]
url = ${JSON.stringify(address)}
bearer_token_env_var = "${KEY_VARIABLE}"

// VS Code, in .vscode/mcp.json
${JSON.stringify(vsCode)}

// Cursor, in .cursor/mcp.json
${JSON.stringify(cursor)}`;
}
