import { z } from 'zod';
import type { FileLinks } from '../../files/file-links.ts';
import type { FileService } from '../../files/file-service.ts';
import { signedLink } from '../signed-links.ts';
import { type McpTool, tool } from '../tool.ts';

export interface UploadFileParts {
  readonly files: Pick<FileService, 'reserve'>;
  readonly links: Pick<FileLinks, 'sign'>;
}

export function uploadFile({ files, links }: UploadFileParts): McpTool {
  return tool({
    name: 'upload_file',
    title: 'Upload a file',
    description:
      'Gives an id for a local file and the curl line that uploads it. Then use the id in other tools.',
    input: z.object({ name: z.string(), size: z.int().min(1).describe('Bytes.') }),
    output: z.object({ id: z.string(), url: z.string(), expires_at: z.string(), command: z.string() }),
    isReadOnly: false,
    scope: 'files',
    isForReaders: false,
    isOffered: () => true,
    call: async ({ name, size }, work) => {
      const { id } = await files.reserve(work.caller, { name, purpose: 'user_data', sizeBytes: size });
      const { url, expiresAt } = await signedLink(links, { method: 'PUT', id }, work);
      const command = `curl -sS -T ${quoted(name)} ${quoted(url)}`;
      return { data: { id, url, expires_at: expiresAt.toISOString(), command } };
    },
  });
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
