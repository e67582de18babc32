import { blobNaming } from './blob-naming.ts';

/** The names of files' blobs. */
export const fileBlobs = blobNaming({ folder: 'files', idStart: 'file_', ending: '' });
