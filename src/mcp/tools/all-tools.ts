import type { McpTool } from '../tool.ts';
import { countTokens } from './count-tokens.ts';
import { type EditImageParts, editImage } from './edit-image.ts';
import { type ExtractDocumentParts, extractDocument } from './extract-document.ts';
import { generateImage } from './generate-image.ts';
import { type GeneratePdfParts, generatePdf } from './generate-pdf.ts';
import { searchKnowledge } from './search-knowledge.ts';
import { type UploadFileParts, uploadFile } from './upload-file.ts';

/** The services that tools call. */
export type ToolSources = EditImageParts &
  ExtractDocumentParts &
  GeneratePdfParts &
  UploadFileParts & {
    readonly search: Parameters<typeof searchKnowledge>[0];
    readonly text: Parameters<typeof countTokens>[0];
  };

/** Every tool, in the order in which clients see them. */
export function allTools(sources: ToolSources): readonly McpTool[] {
  return [
    generateImage(sources),
    editImage(sources),
    extractDocument(sources),
    generatePdf(sources),
    searchKnowledge(sources.search),
    countTokens(sources.text),
    uploadFile(sources),
  ];
}
