import type { StoredImage } from '../../api/types.ts';
import { imageUrl } from './image-url.ts';

interface GalleryProps {
  readonly images: readonly StoredImage[];
  readonly onOpen: (image: StoredImage) => void;
  /** The image that another one is compared with. */
  readonly comparing: string;
}

/** Small copies of images, the newest first. */
export function Gallery({ images, onOpen, comparing }: GalleryProps) {
  return (
    <ul className="grid grid-cols-2 gap-3 p-3 sm:grid-cols-3 xl:grid-cols-4 2xl:grid-cols-5">
      {images.map((image) => (
        <li key={image.id}>
          <button
            type="button"
            onClick={() => onOpen(image)}
            className={`group relative block aspect-square w-full overflow-hidden rounded-md border bg-sunken ${comparing === image.id ? 'border-accent outline-2 outline-accent' : 'border-line'}`}
          >
            <img
              src={imageUrl(image.id, 400)}
              alt=""
              loading="lazy"
              className="size-full object-cover transition-transform group-hover:scale-[1.02]"
            />
            <span className="absolute inset-x-0 bottom-0 truncate bg-[rgb(10_12_18/0.68)] px-2.5 py-1.5 text-left text-xs text-white opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100">
              {image.prompt || 'No prompt'}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
