import { z } from 'zod';
import { modelsFamily } from '../../families/chat-family.ts';
import { packageVersion } from '../../lib/package-version.ts';
import { docsPage } from '../docs-page.ts';
import { openApiDocument } from '../open-api.ts';
import { jsonReply, type OpenRoute, type Route } from '../route.ts';

// The page has only inline style; the browser must load nothing else.
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

const documentSchema = z.looseObject({ openapi: z.literal('3.1.0') });

/** `/openapi.json` and `/docs`, describing the given routes and themselves. Both texts are written when first asked for. */
export function apiDescriptionRoutes(routes: readonly Route[]): readonly OpenRoute[] {
  const own: readonly OpenRoute[] = [
    {
      ...common,
      path: '/openapi.json',
      summary: 'API description',
      detail: 'This API as an OpenAPI 3.1 document.',
      answer: jsonReply('OpenApiDocument', documentSchema),
      handle: () => ({ contentType: 'application/json', body: document() }),
    },
    {
      ...common,
      path: '/docs',
      summary: 'API description for people',
      detail: 'This API as one page of HTML.',
      answer: { contentType: 'text/html' },
      handle: () => ({
        contentType: 'text/html; charset=utf-8',
        headers: { 'content-security-policy': PAGE_POLICY },
        body: page(),
      }),
    },
  ];
  const version = packageVersion();
  const document = keptText(() => JSON.stringify(openApiDocument([...routes, ...own], version)));
  const page = keptText(() => docsPage([...routes, ...own], version));
  return own;
}

function keptText(write: () => string): () => string {
  let text: string | undefined;
  return () => {
    text ??= write();
    return text;
  };
}

const common = {
  method: 'GET',
  access: 'open',
  whileDraining: false,
  family: modelsFamily,
  body: { kind: 'none' },
  group: 'Operations',
} as const;
