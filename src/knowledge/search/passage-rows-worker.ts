import { serveRequests } from '../../supervision/serve-requests.ts';
import { type PassageBatch, passageRows } from './passage-rows.ts';

// Worker thread that cuts and stems the words of chunks. Its jobs come from our own parent.
await serveRequests(() => ({ handle: (batch) => passageRows(batch as PassageBatch) }));
