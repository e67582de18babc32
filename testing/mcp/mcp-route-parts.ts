import type { McpRouteParts } from '../../src/http/routes/mcp.ts';
import { memoryLimits } from '../limits/memory-limits.ts';
import { noResources } from './no-resources.ts';

/** The parts of `/mcp`, without tools. */
export function mcpRouteParts(): Omit<McpRouteParts, 'origin' | 'watch'> {
  return {
    server: { tools: [], resources: noResources, version: '0.0.0' },
    admission: memoryLimits().admission,
    cors: { origins: [] },
  };
}
