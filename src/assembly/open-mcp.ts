import type { ExtractionService } from '../documents/extraction-service.ts';
import type { FileLinks } from '../files/file-links.ts';
import type { FileService } from '../files/file-service.ts';
import type { Gallery } from '../images/gallery.ts';
import type { ImageService } from '../images/image-service.ts';
import type { KnowledgeSearch } from '../knowledge/knowledge-search.ts';
import { packageVersion } from '../lib/package-version.ts';
import type { McpServerParts } from '../mcp/mcp-server.ts';
import { resourceReader } from '../mcp/resources.ts';
import { allTools } from '../mcp/tools/all-tools.ts';
import type { PdfService } from '../pdf/pdf-service.ts';
import type { PictureProcess } from '../pictures/picture-process.ts';
import type { TextService } from '../text/text-service.ts';

export interface McpSources {
  readonly text: TextService;
  readonly images: ImageService;
  readonly gallery: Gallery;
  readonly pictures: PictureProcess;
  readonly extraction: ExtractionService;
  readonly pdf: PdfService;
  readonly search: KnowledgeSearch;
  readonly files: FileService;
  readonly links: FileLinks;
}

/** The abilities of the gateway as tools. */
export function openMcp(sources: McpSources): McpServerParts {
  return {
    tools: allTools(sources),
    resources: resourceReader(sources.gallery, sources.files),
    version: packageVersion(),
  };
}
