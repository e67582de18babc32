import type { PdfService } from '../../pdf/pdf-service.ts';
import type { TextService } from '../../text/text-service.ts';
import type { Route } from '../route.ts';
import { apiDescriptionRoutes } from './api-description.ts';
import { comingRoutes } from './coming-routes.ts';
import { generateDocument } from './documents-generate.ts';
import { listModels, showModel } from './models.ts';
import { type OperationsSources, operationsRoutes } from './operations.ts';
import { textRoutes } from './text.ts';

/** What the routes are made of. */
export interface RouteSources {
  readonly operations: OperationsSources;
  readonly text: TextService;
  readonly pdf: PdfService;
}

/** Every endpoint of the gateway. */
export function allRoutes({ operations, text, pdf }: RouteSources): readonly Route[] {
  const routes: readonly Route[] = [
    listModels,
    showModel,
    ...textRoutes(text),
    ...comingRoutes,
    generateDocument(pdf),
    ...operationsRoutes(operations),
  ];
  return [...routes, ...apiDescriptionRoutes(routes)];
}
