import { newFileId } from '../../src/files/file-id.ts';
import type { NewFile } from '../../src/files/file-store.ts';

/** A file of key `web` of stack `shop`, with overrides. */
export function makeFile(values: Partial<NewFile> = {}): NewFile {
  return {
    id: newFileId(Date.now()),
    accountId: 'acme',
    stackId: 'shop',
    keyId: 'web',
    name: 'invoice.pdf',
    purpose: 'user_data',
    sizeBytes: 100,
    keepSeconds: 86_400,
    ...values,
  };
}
