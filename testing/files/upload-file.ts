import { call } from '../http-call.ts';
import type { HttpGateway } from '../http-gateway.ts';
import { multipartBody, multipartType } from '../multipart.ts';

/** Uploads a file through the API; returns its id. */
export async function uploadFile(
  gateway: HttpGateway,
  key: string,
  { name, bytes }: { readonly name: string; readonly bytes: string | Uint8Array },
): Promise<string> {
  const { status, body } = await call(gateway, {
    method: 'POST',
    path: '/v1/files',
    key,
    headers: { 'content-type': multipartType },
    body: multipartBody([{ name: 'file', fileName: name, bytes: Buffer.from(bytes) }]),
  });
  if (status !== 200) throw new Error(`the upload was answered ${status}: ${body}`);
  return JSON.parse(body).id;
}
