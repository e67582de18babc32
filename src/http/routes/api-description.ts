import { modelsFamily } from '../../families/chat-family.ts';
import { packageVersion } from '../../lib/package-version.ts';
import { docsPage } from '../docs-page.ts';
import { openApiDocument } from '../open-api.ts';
import type { OpenRoute, Route } from '../route.ts';

// The page carries its own style and nothing else; whatever else a browser might be told to load is refused.
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** `/openapi.json` and `/docs`, describing the given routes. */
export function apiDescriptionRoutes(routes: readonly Route[]): readonly OpenRoute[] {
  const version = packageVersion();
  const document = JSON.stringify(openApiDocument(routes, version));
  const page = docsPage(routes, version);
  return [
    descriptionRoute('/openapi.json', 'API description', { contentType: 'application/json', body: document }),
    descriptionRoute('/docs', 'API description for people', {
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': PAGE_POLICY },
      body: page,
    }),
  ];
}

function descriptionRoute(path: string, summary: string, answer: ReturnType<OpenRoute['handle']>): OpenRoute {
  return {
    method: 'GET',
    path,
    access: 'open',
    whileDraining: false,
    family: modelsFamily,
    body: { kind: 'none' },
    description: {
      group: 'Operations',
      summary,
      detail: summary,
      answer: { contentType: 'text/html' },
      available: true,
    },
    handle: () => answer,
  };
}
