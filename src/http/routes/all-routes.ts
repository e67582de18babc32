import type { ExtractionService } from '../../documents/extraction-service.ts';
import type { Gallery } from '../../images/gallery.ts';
import type { ImageService } from '../../images/image-service.ts';
import type { PdfService } from '../../pdf/pdf-service.ts';
import type { SchemaService } from '../../schema/service/schema-service.ts';
import type { TextService } from '../../text/text-service.ts';
import type { Route } from '../route.ts';
import { apiDescriptionRoutes } from './api-description.ts';
import { generateDocument } from './documents-generate.ts';
import { extractionRoutes } from './extraction.ts';
import { galleryRoutes } from './gallery.ts';
import { imageRoutes } from './images.ts';
import { listModels, showModel } from './models.ts';
import { type OperationsSources, operationsRoutes } from './operations.ts';
import { schemaRoutes } from './schemas.ts';
import { textRoutes } from './text.ts';

/** What the routes are made of. */
export interface RouteSources {
  readonly operations: OperationsSources;
  readonly text: TextService;
  readonly schemas: Pick<SchemaService, 'examine'>;
  readonly images: ImageService;
  readonly gallery: Gallery;
  readonly pdf: PdfService;
  readonly extraction: ExtractionService;
}

/** Every endpoint of the gateway. */
export function allRoutes(sources: RouteSources): readonly Route[] {
  const routes: readonly Route[] = [
    listModels,
    showModel,
    ...textRoutes(sources.text),
    ...schemaRoutes(sources.schemas),
    ...imageRoutes(sources.images),
    ...extractionRoutes(sources.extraction),
    ...galleryRoutes(sources.gallery),
    generateDocument(sources.pdf),
    ...operationsRoutes(sources.operations),
  ];
  return [...routes, ...apiDescriptionRoutes(routes)];
}
