import type { CallerLimits } from '../../access/caller-limits.ts';
import type { StorageRoom } from '../../access/storage-room.ts';
import type { ExtractionService } from '../../documents/extraction-service.ts';
import type { Gallery } from '../../images/gallery.ts';
import type { ImageService } from '../../images/image-service.ts';
import type { EmbeddingsEngine } from '../../knowledge/embeddings-engine.ts';
import type { KnowledgeSearch } from '../../knowledge/knowledge-search.ts';
import type { KnowledgeService } from '../../knowledge/service/knowledge-service.ts';
import type { PdfService } from '../../pdf/pdf-service.ts';
import type { SchemaService } from '../../schema/service/schema-service.ts';
import type { HostedTools } from '../../text/hosted-tools.ts';
import type { BackgroundResponses } from '../../text/responses/background-responses.ts';
import type { ConversationStore } from '../../text/responses/conversation-store.ts';
import type { ResponseReplay } from '../../text/responses/response-replay.ts';
import type { ResponseStore } from '../../text/responses/response-store.ts';
import type { ResponsesService } from '../../text/responses/responses-service.ts';
import type { TextService } from '../../text/text-service.ts';
import type { UsageLedger } from '../../usage/usage-ledger.ts';
import { type AdminRoute, mountAdminRoutes } from '../admin/admin-route.ts';
import type { AdminSources } from '../admin/admin-sources.ts';
import { auditRoute } from '../admin/audit.ts';
import { stateRoutes } from '../admin/gateway-state.ts';
import { keyRoutes } from '../admin/keys.ts';
import { liveRequestsRoute } from '../admin/live-requests.ts';
import { stackRoutes } from '../admin/stacks.ts';
import { storedThingRoutes } from '../admin/stored-things.ts';
import { usageRoute } from '../admin/usage.ts';
import type { OperatorDoor } from '../operator-door.ts';
import type { Route } from '../route.ts';
import type { StreamWatch } from '../stream-watch.ts';
import { apiDescriptionRoutes } from './api-description.ts';
import { conversationRoutes } from './conversations.ts';
import { generateDocument } from './documents-generate.ts';
import { embeddingsRoute } from './embeddings.ts';
import { extractionRoutes } from './extraction.ts';
import { type FileRouteParts, fileRoutes } from './files.ts';
import { galleryRoutes } from './gallery.ts';
import { imageRoutes } from './images.ts';
import { knowledgeRoutes } from './knowledge.ts';
import { showLimits } from './limits.ts';
import { linkRoutes } from './links.ts';
import { type McpRouteParts, mcpRoute } from './mcp.ts';
import { modelRoutes } from './models.ts';
import { type OperationsSources, operationsRoutes } from './operations.ts';
import { responseRoutes } from './responses.ts';
import { schemaRoutes } from './schemas.ts';
import { textRoutes } from './text.ts';
import { showUsage } from './usage.ts';

/** Stored responses and conversations, and the service that makes them. */
export interface ResponseSources {
  readonly service: ResponsesService;
  readonly store: ResponseStore;
  readonly conversations: ConversationStore;
  readonly background: BackgroundResponses;
  readonly replay: ResponseReplay;
}

/** The services that the routes call. */
export interface RouteSources extends FileRouteParts {
  readonly operations: OperationsSources;
  readonly callerLimits: Pick<CallerLimits, 'standings'>;
  readonly text: TextService;
  readonly hosted: HostedTools;
  readonly responses: ResponseSources;
  readonly watch: StreamWatch;
  readonly schemas: Pick<SchemaService, 'examine'>;
  readonly embeddings: EmbeddingsEngine;
  readonly images: ImageService;
  readonly storage: StorageRoom;
  readonly gallery: Gallery;
  readonly pdf: PdfService;
  readonly extraction: ExtractionService;
  readonly usage: Pick<UsageLedger, 'read'>;
  readonly knowledge: KnowledgeService;
  readonly search: KnowledgeSearch;
  readonly mcp: Omit<McpRouteParts, 'origin' | 'watch'>;
  readonly admin: AdminSources;
  /** The door of operator tokens. */
  readonly tokenDoor: OperatorDoor;
}

/** Every endpoint of the gateway. */
export function allRoutes(sources: RouteSources): readonly Route[] {
  const { responses } = sources;
  const text = { service: sources.text, watch: sources.watch, hosted: sources.hosted };
  const routes: readonly Route[] = [
    ...modelRoutes(),
    showLimits(sources),
    ...textRoutes(text),
    ...responseRoutes({ ...responses, ...text, responses: responses.service }),
    ...conversationRoutes(responses.conversations),
    embeddingsRoute(sources.embeddings),
    ...schemaRoutes(sources.schemas),
    ...imageRoutes(sources.images, sources.files),
    ...extractionRoutes(sources.extraction, sources.files),
    ...galleryRoutes(sources.gallery, sources),
    generateDocument(sources.pdf),
    showUsage(sources.usage),
    ...knowledgeRoutes(sources.knowledge, sources.storage, sources.files, sources.search),
    ...fileRoutes(sources),
    ...linkRoutes(sources.files, sources.gallery),
    mcpRoute({ ...sources.mcp, origin: sources.origin, watch: sources.watch }),
    ...operationsRoutes(sources.operations),
    ...mountAdminRoutes(adminRoutes(sources.admin), { prefix: '/admin/v1', door: sources.tokenDoor }),
  ];
  return [...routes, ...apiDescriptionRoutes(routes)];
}

function adminRoutes(sources: AdminSources): readonly AdminRoute[] {
  return [
    ...stateRoutes(sources),
    ...stackRoutes(sources),
    ...keyRoutes(sources),
    usageRoute(sources),
    liveRequestsRoute(sources),
    ...storedThingRoutes(sources),
    auditRoute(sources),
  ];
}
