// Encodes prompts for the previews of training: node encode-prompts.mjs <lexicon.json> <prompts.json> <eval.json>
import { readFileSync, writeFileSync } from 'node:fs';
import { Lexicon } from '../../../dist/images/engines/diffusion/words/lexicon.js';
import { PromptEncoder } from '../../../dist/images/engines/diffusion/words/prompt-tokens.js';

const [lexiconFile, promptsFile, outputFile] = process.argv.slice(2);
const lexicon = new Lexicon(readFileSync(lexiconFile, 'utf8'));
const encoder = new PromptEncoder(lexicon);
const prompts = JSON.parse(readFileSync(promptsFile, 'utf8'));
const encoded = prompts.map((prompt) => ({ prompt, ids: encoder.encode(prompt, { isEdit: false }).tokens }));
writeFileSync(outputFile, JSON.stringify(encoded));
