import { API } from '../../api/client.ts';

/** The address of a stored image; with a width, of a small copy. */
export function imageUrl(id: string, width?: number): string {
  return `${API}/images/${encodeURIComponent(id)}/content${width === undefined ? '' : `?width=${width}`}`;
}
