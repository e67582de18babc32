import { bareConversation, type Conversation, changed } from '../text/conversation.ts';
import { extractionPrompt } from './extraction-prompt.ts';
import type { ExtractionJob } from './extractor.ts';

/** Sampling of one attempt. */
export interface Attempt {
  readonly temperature: number;
  readonly seed: number | undefined;
}

type Asked = Pick<
  ExtractionJob,
  'documents' | 'schema' | 'system' | 'user' | 'maxTokens' | 'proposals' | 'showsSchema' | 'wantsConfidence'
>;

/** The prompt for writing the whole object at once. */
export function extractionConversation(job: Asked, attempt: Attempt): Conversation {
  const { schema, user, maxTokens, proposals, showsSchema, wantsConfidence = false } = job;
  const tells = wantsConfidence ? { tellsProbabilities: true } : {};
  const prompt = extractionPrompt(job.documents, {
    user,
    schema: showsSchema ? schema : undefined,
    proposals,
  });
  const conversation = plainConversation(prompt, { system: job.system });
  return changed(conversation, {
    output: { type: 'schema', name: 'extraction', schema, isVerified: true, ...tells },
    sampling: { ...conversation.sampling, ...attempt, maxTokens },
  });
}

/** A conversation with one text, answered greedily. */
export function plainConversation(
  text: string,
  { system, cacheScope }: Pick<Conversation, 'system' | 'cacheScope'>,
): Conversation {
  const turns: Conversation['turns'] = [{ role: 'user', parts: [{ type: 'text', text }] }];
  const said = { system, turns, templateArguments: { enable_thinking: false }, cacheScope };
  return bareConversation(said, { maxTokens: 1, temperature: 0, topP: 1 });
}
