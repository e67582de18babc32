import type { Route } from '../route.ts';
import { apiDescriptionRoutes } from './api-description.ts';
import { comingRoutes } from './coming-routes.ts';
import { listModels, showModel } from './models.ts';
import { type OperationsSources, operationsRoutes } from './operations.ts';

/** Every endpoint of the gateway. */
export function allRoutes(operations: OperationsSources): readonly Route[] {
  const routes: readonly Route[] = [listModels, showModel, ...comingRoutes, ...operationsRoutes(operations)];
  return [...routes, ...apiDescriptionRoutes(routes)];
}
