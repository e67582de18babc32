import type { StoredImage } from '../../api/types.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { capitalised } from '../../ui/format.ts';
import { imageUrl } from './image-url.ts';

const COMPARED = ['prompt', 'width', 'height', 'steps', 'guidance_scale', 'seed', 'model'] as const;

/** Two images side by side, and what differs between them. */
export function CompareDialog({
  one,
  other,
  onClose,
}: {
  one: StoredImage;
  other: StoredImage;
  onClose: () => void;
}) {
  return (
    <Dialog open onClose={onClose} title="Compare" size="huge">
      <div className="grid grid-cols-2 gap-3">
        {[one, other].map((image) => (
          <img
            key={image.id}
            src={imageUrl(image.id)}
            alt={image.prompt}
            className="max-h-[60vh] w-full rounded-md bg-sunken object-contain"
          />
        ))}
      </div>
      <table className="mt-4 w-full table-fixed text-sm">
        <tbody>
          {COMPARED.map((name) => (
            <Compared key={name} name={name} left={String(one[name])} right={String(other[name])} />
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

function Compared({ name, left, right }: { name: string; left: string; right: string }) {
  const look = left === right ? '' : 'font-medium';
  return (
    <tr className={`border-b border-line align-top last:border-b-0 ${left === right ? 'text-muted' : ''}`}>
      <th scope="row" className="w-24 py-1.5 pr-3 text-left font-normal text-muted sm:w-32">
        {capitalised(name.replace('_', ' '))}
      </th>
      <td className={`py-1.5 pr-3 wrap-anywhere ${look}`}>{left}</td>
      <td className={`py-1.5 wrap-anywhere ${look}`}>{right}</td>
    </tr>
  );
}
