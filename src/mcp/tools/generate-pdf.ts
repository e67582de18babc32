import { z } from 'zod';
import type { FileLinks } from '../../files/file-links.ts';
import type { FileService } from '../../files/file-service.ts';
import type { PdfService } from '../../pdf/pdf-service.ts';
import { openGenerateRequest } from '../../pdf/wire/generate-request.ts';
import { signedLink } from '../signed-links.ts';
import { type McpTool, tool } from '../tool.ts';

export interface GeneratePdfParts {
  readonly pdf: Pick<PdfService, 'generate'>;
  readonly files: Pick<FileService, 'add'>;
  readonly links: Pick<FileLinks, 'sign'>;
}

/** As long as a link to it can be used, and a day more for another one. */
const KEEP_SECONDS = 86_400;

export function generatePdf({ pdf, files, links }: GeneratePdfParts): McpTool {
  return tool({
    name: 'generate_pdf',
    title: 'Generate a PDF',
    description: 'Prints HTML as a PDF, or has the model write it from an instruction. Answers with a link.',
    input: z.object({
      html: z.string().optional().describe('A whole HTML document; nothing is fetched and no script runs.'),
      instruction: z.string().optional().describe('In place of html: what the document shall be.'),
      name: z.string().optional().describe('File name.'),
    }),
    isReadOnly: false,
    scope: 'pdf',
    isForReaders: false,
    isOffered: () => true,
    call: async ({ html, instruction, name = 'document.pdf' }, work) => {
      const { caller, signal } = work;
      const order = openGenerateRequest({ html, user: instruction });
      const { bytes, pages, blockedReferences } = await pdf.generate(caller, order, work);
      const kept = { name, purpose: 'user_data', keepSeconds: KEEP_SECONDS, bytes };
      const { id, sizeBytes } = await files.add(caller, kept, signal);
      const { url } = await signedLink(links, { method: 'GET', id }, work);
      const blocked = blockedReferences === 0 ? '' : ` ${blockedReferences} references were not fetched.`;
      const text = `PDF ${id}, ${pages} ${pages === 1 ? 'page' : 'pages'}, ${sizeBytes} bytes. For one hour: ${url}${blocked}`;
      return { text, link: { url, name, mediaType: 'application/pdf', sizeBytes } };
    },
  });
}
