import type { Tool } from './tool.ts';
import { countTokens } from './tools/count-tokens.ts';
import { type EditImageParts, editImage } from './tools/edit-image.ts';
import { type ExtractDocumentParts, extractDocument } from './tools/extract-document.ts';
import { generateImage } from './tools/generate-image.ts';
import { type GeneratePdfParts, generatePdf } from './tools/generate-pdf.ts';
import { searchKnowledge } from './tools/search-knowledge.ts';
import { type UploadFileParts, uploadFile } from './tools/upload-file.ts';

/** The services that tools call. */
export type ToolSources = EditImageParts &
  ExtractDocumentParts &
  GeneratePdfParts &
  UploadFileParts & {
    readonly search: Parameters<typeof searchKnowledge>[0];
    readonly text: Parameters<typeof countTokens>[0];
  };

/** Every tool, in the order in which clients see them. */
export function allTools(sources: ToolSources): readonly Tool[] {
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
