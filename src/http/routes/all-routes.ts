import type { Gallery } from '../../images/gallery.ts';
import type { SchemaService } from '../../schema/service/schema-service.ts';
import type { TextService } from '../../text/text-service.ts';
import type { Route } from '../route.ts';
import { apiDescriptionRoutes } from './api-description.ts';
import { comingRoutes } from './coming-routes.ts';
import { galleryRoutes } from './gallery.ts';
import { listModels, showModel } from './models.ts';
import { type OperationsSources, operationsRoutes } from './operations.ts';
import { schemaRoutes } from './schemas.ts';
import { textRoutes } from './text.ts';

/** What the routes are made of. */
export interface RouteSources {
  readonly operations: OperationsSources;
  readonly text: TextService;
  readonly schemas: Pick<SchemaService, 'examine'>;
  readonly gallery: Gallery;
}

/** Every endpoint of the gateway. */
export function allRoutes({ operations, text, schemas, gallery }: RouteSources): readonly Route[] {
  const routes: readonly Route[] = [
    listModels,
    showModel,
    ...textRoutes(text),
    ...schemaRoutes(schemas),
    ...comingRoutes,
    ...galleryRoutes(gallery),
    ...operationsRoutes(operations),
  ];
  return [...routes, ...apiDescriptionRoutes(routes)];
}
