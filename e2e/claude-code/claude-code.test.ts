import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClaudeGateway } from './claude-gateway.ts';
import { describeMcp } from './describe-mcp.ts';
import { describeTalk } from './describe-talk.ts';
import { describeTools } from './describe-tools.ts';
import { describeTrouble } from './describe-trouble.ts';
import { installClaudeCode } from './install-claude-code.ts';

// One file, so that it is installed once and one gateway serves all runs.
describe('Claude Code', async () => {
  const program = await installClaudeCode();
  if (program === undefined) {
    it.skip('is not available on this machine');
    return;
  }
  let claude: ClaudeGateway;

  beforeAll(async () => {
    claude = await ClaudeGateway.start(program);
  });

  afterAll(async () => {
    await claude?.[Symbol.asyncDispose]();
  });

  describeTalk(() => claude);
  describeTools(() => claude);
  describeMcp(() => claude);
  describeTrouble(() => claude);

  it('asked the gateway for nothing else', async () => {
    expect(await claude.takeAnswers(0)).toEqual([]);
  });
});
