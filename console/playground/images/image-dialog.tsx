import type { StoredImage } from '../../api/types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { counted } from '../../ui/format.ts';
import { Time } from '../../ui/time.tsx';
import type { Recall } from './image-form.ts';
import { imageUrl } from './image-url.ts';

const TITLE_CHARACTERS = 80;

interface ImageDialogProps {
  readonly image: StoredImage;
  readonly all: readonly StoredImage[];
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
  readonly onRecall: (what: Recall) => void;
  readonly onEdit: () => void;
  readonly onCompare: () => void;
}

/** One image with everything that made it, and what can be done with that. */
export function ImageDialog({ image, all, onClose, onOpen, onRecall, onEdit, onCompare }: ImageDialogProps) {
  const index = all.indexOf(image);
  const children = all.filter(({ parents }) => parents?.includes(image.id));
  const step = (by: number) => {
    const next = all[index + by];
    if (next !== undefined) onOpen(next.id);
  };
  return (
    <Dialog open onClose={onClose} title={titleOf(image)} size="huge">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows also have buttons */}
      <div
        className="grid grid-cols-1 gap-5 md:grid-cols-[minmax(0,1fr)_300px]"
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight') step(1);
          if (event.key === 'ArrowLeft') step(-1);
        }}
      >
        <Picture image={image} />
        <div className="flex flex-col gap-4">
          {image.prompt.length > TITLE_CHARACTERS && <p className="text-sm wrap-anywhere">{image.prompt}</p>}
          <div className="flex flex-wrap gap-2">
            <Button
              size="small"
              look="primary"
              icon="refresh"
              onClick={() => onRecall('all')}
              title="Prompt, size, steps, guidance and seed"
            >
              Use all
            </Button>
            <Button
              size="small"
              icon="shuffle"
              onClick={() => onRecall('remix')}
              title="Everything but the seed"
            >
              Remix
            </Button>
            <Button size="small" onClick={() => onRecall('seed')}>
              Seed only
            </Button>
            <Button size="small" icon="edit" onClick={onEdit}>
              Edit
            </Button>
            <Button size="small" icon="compare" onClick={onCompare}>
              Compare
            </Button>
          </div>
          <Facts rows={factsOf(image)} />
          <Lineage
            title="Made from"
            ids={image.parents ?? []}
            onOpen={onOpen}
            missing={
              image.route === 'edits' && !image.parents?.length
                ? `${counted(image.reference_images ?? 1, 'file')} that ${image.reference_images === 1 ? 'is' : 'are'} not stored`
                : undefined
            }
          />
          <Lineage title="Edits of it" ids={children.map(({ id }) => id)} onOpen={onOpen} />
          <div className="mt-auto flex justify-end gap-1">
            <IconButton label="Newer image" icon="left" disabled={index <= 0} onClick={() => step(-1)} />
            <IconButton
              label="Older image"
              icon="right"
              disabled={index >= all.length - 1}
              onClick={() => step(1)}
            />
          </div>
        </div>
      </div>
    </Dialog>
  );
}

function titleOf({ prompt }: StoredImage): string {
  if (prompt === '') return 'Image';
  return prompt.length > TITLE_CHARACTERS ? `${prompt.slice(0, TITLE_CHARACTERS).trimEnd()}…` : prompt;
}

function Picture({ image }: { image: StoredImage }) {
  return (
    <a
      href={imageUrl(image.id)}
      target="_blank"
      rel="noreferrer"
      className="grid place-items-center self-start rounded-md bg-sunken"
      title="Open the PNG"
    >
      <img
        src={imageUrl(image.id)}
        alt={image.prompt}
        width={image.width}
        height={image.height}
        className="h-auto max-h-[72vh] w-auto max-w-full rounded-md"
      />
    </a>
  );
}

function factsOf(image: StoredImage): readonly Fact[] {
  return [
    ['Size', `${image.width} × ${image.height}`],
    ['Steps', image.steps],
    ['Guidance', image.guidance_scale],
    ['Seed', image.seed],
    ['Model', image.model],
    ['Key', image.key],
    ...(image.unknown_words?.length ? [['Unknown', image.unknown_words.join(', ')] as const] : []),
    ['Made', <Time key="made" at={image.created_at} />],
    [
      'Id',
      <span key="id" className="font-mono text-xs">
        {image.id}
      </span>,
    ],
  ];
}

interface LineageProps {
  readonly title: string;
  readonly ids: readonly string[];
  readonly onOpen: (id: string) => void;
  readonly missing?: string | undefined;
}

function Lineage({ title, ids, onOpen, missing }: LineageProps) {
  if (ids.length === 0 && missing === undefined) return null;
  return (
    <div>
      <p className="mb-1.5 text-xs font-medium text-muted">{title}</p>
      {missing !== undefined && <p className="text-sm text-muted">{missing}</p>}
      <ul className="flex flex-wrap gap-2">
        {ids.map((id) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => onOpen(id)}
              className="block overflow-hidden rounded-md border border-line"
            >
              <img src={imageUrl(id, 128)} alt={id} className="size-16 object-cover" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
