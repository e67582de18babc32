import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { API, ask, playground } from '../../api/client.ts';
import { useImages } from '../../api/resources.ts';
import type { StoredImage } from '../../api/types.ts';
import { choice, number, text } from '../../state/url-state.ts';
import { useUrlState } from '../../state/use-url-state.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Segments } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NumberField, TextArea, TextField } from '../../ui/field.tsx';
import { counted } from '../../ui/format.ts';
import { LoadMore } from '../../ui/load-more.tsx';
import { Empty, Loading, Note, Problem } from '../../ui/notes.tsx';
import { Card } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import type { ApiRequest } from '../curl.ts';
import { PlaygroundPage } from '../playground-page.tsx';
import {
  type ImageForm,
  imageFields,
  imageJson,
  type Recall,
  recalled,
  SIZES,
  seedProblem,
} from './image-form.ts';

const SHAPE = {
  stack: text(),
  prompt: text(),
  size: choice(SIZES, '1024x1024'),
  steps: number(4),
  guidance: number(1),
  seed: text(),
  /** The image that is open. */
  image: text(),
  /** References of an edit: ids of stored images. */
  edit: text(),
  /** The image beside which another one is laid. */
  compare: text(),
};
const MOST_REFERENCES = 4;

/** The address of a stored image; with a width, of a small copy. */
export function imageUrl(id: string, width?: number): string {
  return `${API}/images/${encodeURIComponent(id)}/content${width === undefined ? '' : `?width=${width}`}`;
}

/** Painting, and every image that the stack has stored. */
export function ImagesPage() {
  const [state, change] = useUrlState(SHAPE);
  const [files, setFiles] = useState<readonly File[]>([]);
  const client = useQueryClient();
  const form: ImageForm = state;
  const parents = useMemo(() => state.edit.split(',').filter((id) => id !== ''), [state.edit]);
  const isEdit = parents.length + files.length > 0;
  const paint = useMutation({
    mutationFn: () => sendImage({ stack: state.stack, form, parents, files }),
    onSettled: () => client.invalidateQueries({ queryKey: ['images'] }),
  });
  const images = useImages(state.stack);
  const all = images.data ?? [];
  const open = all.find(({ id }) => id === state.image);
  const compared = all.find(({ id }) => id === state.compare);
  const onStack = useCallback((stack: string) => change({ stack }), [change]);
  const recall = (image: StoredImage, what: Recall) =>
    change({ ...recalled(image, what), ...(what !== 'seed' && { image: '' }) });
  return (
    <PlaygroundPage
      title="Images"
      stack={state.stack}
      onStack={onStack}
      request={() => curlRequest(form, parents, files)}
    >
      <div className="grid items-start gap-5 lg:grid-cols-[340px_minmax(0,1fr)]">
        <Card title={isEdit ? 'Edit' : 'Paint'} className="lg:sticky lg:top-5">
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              if (!paint.isPending) paint.mutate();
            }}
          >
            <TextArea
              label={isEdit ? 'What shall change' : 'Prompt'}
              rows={4}
              value={state.prompt}
              onText={(prompt) => change({ prompt })}
              placeholder="a watercolour fox in the snow"
            />
            <Segments
              label="Size"
              labelHidden={false}
              value={state.size}
              onChange={(size) => change({ size })}
              options={SIZES.map((value) => ({
                value,
                label: { '1024x1024': 'Square', '1536x1024': 'Wide', '1024x1536': 'Tall' }[value],
                note: value,
              }))}
            />
            <div className="grid grid-cols-2 gap-3">
              <NumberField
                label="Steps"
                min={1}
                max={8}
                value={state.steps}
                onNumber={(steps) => change({ steps })}
              />
              <NumberField
                label="Guidance"
                min={0}
                max={20}
                step={0.1}
                value={state.guidance}
                onNumber={(guidance) => change({ guidance })}
              />
            </div>
            <TextField
              label="Seed"
              inputMode="numeric"
              fieldClass="tabular"
              placeholder="drawn for each image"
              value={state.seed}
              onText={(seed) => change({ seed })}
              error={seedProblem(state.seed)}
            />
            <References
              parents={parents}
              files={files}
              onParents={(ids) => change({ edit: ids.join(',') })}
              onFiles={setFiles}
            />
            {paint.isError && <Problem error={paint.error} />}
            {paint.data?.unknownWords ? (
              <Note tone="warn">
                {counted(paint.data.unknownWords, 'word')} of the prompt{' '}
                {paint.data.unknownWords === 1 ? 'is' : 'are'} unknown to the model.
              </Note>
            ) : null}
            <Button
              type="submit"
              look="primary"
              size="large"
              icon="image"
              busy={paint.isPending}
              disabled={
                state.stack === '' || state.prompt.trim() === '' || seedProblem(state.seed) !== undefined
              }
            >
              {paint.isPending ? 'Painting' : isEdit ? 'Edit image' : 'Paint image'}
            </Button>
          </form>
        </Card>
        <Card title="Stored images" note="Kept for 30 days unless the configuration says otherwise" flush>
          {images.isError && (
            <div className="p-4">
              <Problem error={images.error} retry={() => void images.refetch()} />
            </div>
          )}
          {images.data === undefined ? (
            !images.isError && <Loading rows={6} />
          ) : all.length === 0 ? (
            <Empty icon="image" title="No images yet">
              What this stack paints is stored, with every parameter, and shown here.
            </Empty>
          ) : (
            <>
              <Gallery
                images={all}
                onOpen={(image) =>
                  change(
                    state.compare !== '' && image.id !== state.compare
                      ? { image: image.id }
                      : { image: image.id, compare: '' },
                  )
                }
                comparing={state.compare}
              />
              <LoadMore list={images} auto />
            </>
          )}
        </Card>
      </div>
      {open !== undefined && compared === undefined && (
        <ImageDialog
          image={open}
          all={all}
          onClose={() => change({ image: '' })}
          onOpen={(image) => change({ image })}
          onRecall={(what) => recall(open, what)}
          onEdit={() => change({ edit: [...parents, open.id].slice(-MOST_REFERENCES).join(','), image: '' })}
          onCompare={() => change({ compare: open.id, image: '' })}
        />
      )}
      {open !== undefined && compared !== undefined && open.id !== compared.id && (
        <CompareDialog one={compared} other={open} onClose={() => change({ image: '', compare: '' })} />
      )}
      {compared !== undefined && open === undefined && (
        <div className="sticky bottom-4 z-10 mx-auto flex w-fit items-center gap-3 rounded-lg border border-line bg-raised px-4 py-2 text-sm shadow-[0_8px_24px_var(--shadow)]">
          Choose the image to compare with
          <Button size="small" onClick={() => change({ compare: '' })}>
            Cancel
          </Button>
        </div>
      )}
    </PlaygroundPage>
  );
}

function curlRequest(
  form: ImageForm,
  parents: readonly string[],
  files: readonly File[],
): ApiRequest | undefined {
  if (seedProblem(form.seed) !== undefined) return undefined;
  if (parents.length + files.length === 0)
    return { path: '/v1/images/generations', body: imageJson(form, 2) };
  const names = [...parents.map((id) => `${id}.png`), ...files.map(({ name }) => name)];
  return {
    path: '/v1/images/edits',
    form: [
      ...Object.entries(imageFields(form)).map(([name, value]) => ({ name, text: value })),
      ...names.map((file) => ({ name: 'image', file })),
    ],
  };
}

async function sendImage({
  stack,
  form,
  parents,
  files,
}: {
  stack: string;
  form: ImageForm;
  parents: readonly string[];
  files: readonly File[];
}) {
  const answer = await (parents.length + files.length === 0
    ? ask(playground(stack, '/v1/images/generations'), { method: 'POST', text: imageJson(form) })
    : ask(playground(stack, '/v1/images/edits'), {
        method: 'POST',
        form: await editForm(form, parents, files),
      }));
  await answer.text();
  return { unknownWords: Number(answer.headers.get('x-prompt-unknown-words') ?? 0) };
}

async function editForm(
  form: ImageForm,
  parents: readonly string[],
  files: readonly File[],
): Promise<FormData> {
  const data = new FormData();
  for (const [name, value] of Object.entries(imageFields(form))) data.append(name, value);
  for (const id of parents)
    data.append('image', await (await ask(`/images/${encodeURIComponent(id)}/content`)).blob(), `${id}.png`);
  for (const file of files) data.append('image', file);
  return data;
}

interface ReferencesProps {
  readonly parents: readonly string[];
  readonly files: readonly File[];
  readonly onParents: (ids: readonly string[]) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** The images that an edit starts from. */
function References({ parents, files, onParents, onFiles }: ReferencesProps) {
  const left = MOST_REFERENCES - parents.length - files.length;
  return (
    <div className="flex flex-col gap-2">
      <span className="text-xs font-medium text-muted">References</span>
      {parents.length + files.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {parents.map((id) => (
            <li key={id} className="relative">
              <img
                src={imageUrl(id, 128)}
                alt={id}
                className="size-16 rounded-md border border-line object-cover"
              />
              <IconButton
                size="small"
                look="plain"
                className="!absolute -top-2 -right-2 !size-5 !rounded-full"
                icon="close"
                label={`Leave out ${id}`}
                onClick={() => onParents(parents.filter((other) => other !== id))}
              />
            </li>
          ))}
          {files.map((file) => (
            <li key={file.name} className="relative">
              <span className="grid size-16 place-items-center rounded-md border border-line bg-sunken p-1 text-center text-[10px] leading-3 wrap-anywhere">
                {file.name.slice(0, 30)}
              </span>
              <IconButton
                size="small"
                look="plain"
                className="!absolute -top-2 -right-2 !size-5 !rounded-full"
                icon="close"
                label={`Leave out ${file.name}`}
                onClick={() => onFiles(files.filter((other) => other !== file))}
              />
            </li>
          ))}
        </ul>
      )}
      <label
        className={`flex items-center justify-center gap-2 rounded-md border border-dashed border-line-strong px-3 py-2 text-xs text-muted focus-within:outline-2 focus-within:outline-accent ${left > 0 ? 'cursor-pointer hover:bg-hover' : 'opacity-55'}`}
      >
        <input
          type="file"
          className="sr-only"
          accept="image/png,image/jpeg,image/webp"
          multiple
          disabled={left === 0}
          onChange={(event) => {
            onFiles([...files, ...(event.target.files ?? [])].slice(0, MOST_REFERENCES - parents.length));
            event.target.value = '';
          }}
        />
        {left > 0 ? 'Add a PNG, JPEG or WEBP to edit it' : 'Four references are the most'}
      </label>
    </div>
  );
}

function Gallery({
  images,
  onOpen,
  comparing,
}: {
  images: readonly StoredImage[];
  onOpen: (image: StoredImage) => void;
  comparing: string;
}) {
  return (
    <ul className="grid grid-cols-2 gap-2 p-3 sm:grid-cols-3 xl:grid-cols-4 2xl:grid-cols-5">
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
            <span className="absolute inset-x-0 bottom-0 truncate bg-[rgb(10_12_18/0.68)] px-2 py-1 text-left text-xs text-white opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100">
              {image.prompt || 'No prompt'}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function ImageFacts({ image }: { image: StoredImage }) {
  const rows: readonly (readonly [string, React.ReactNode])[] = [
    ['Size', `${image.width} × ${image.height}`],
    ['Steps', image.steps],
    ['Guidance', image.guidance_scale],
    ['Seed', image.seed],
    ['Model', image.model],
    ['Key', image.key],
    ['Made', <Time key="made" at={image.created_at} />],
    [
      'Id',
      <span key="id" className="font-mono text-xs">
        {image.id}
      </span>,
    ],
  ];
  return (
    <dl className="divide-y divide-line text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="grid grid-cols-[5rem_minmax(0,1fr)] gap-2 py-1.5">
          <dt className="text-muted">{name}</dt>
          <dd className="tabular wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

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
function ImageDialog({ image, all, onClose, onOpen, onRecall, onEdit, onCompare }: ImageDialogProps) {
  const index = all.indexOf(image);
  const children = all.filter(({ parents }) => parents?.includes(image.id));
  const step = (by: number) => {
    const next = all[index + by];
    if (next !== undefined) onOpen(next.id);
  };
  return (
    <Dialog open onClose={onClose} title={image.prompt.slice(0, 80) || 'Image'} size="huge">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows also have buttons */}
      <div
        className="grid gap-5 md:grid-cols-[minmax(0,1fr)_300px]"
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight') step(1);
          if (event.key === 'ArrowLeft') step(-1);
        }}
      >
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
        <div className="flex flex-col gap-4">
          {image.prompt.length > 80 && <p className="text-sm wrap-anywhere">{image.prompt}</p>}
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
          <ImageFacts image={image} />
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
          <div className="flex gap-2">
            <Button size="small" icon="left" disabled={index <= 0} onClick={() => step(-1)}>
              Newer
            </Button>
            <Button size="small" disabled={index >= all.length - 1} onClick={() => step(1)}>
              Older
            </Button>
          </div>
        </div>
      </div>
    </Dialog>
  );
}

function Lineage({
  title,
  ids,
  onOpen,
  missing,
}: {
  title: string;
  ids: readonly string[];
  onOpen: (id: string) => void;
  missing?: string | undefined;
}) {
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

/** Two images side by side, and what differs between them. */
function CompareDialog({
  one,
  other,
  onClose,
}: {
  one: StoredImage;
  other: StoredImage;
  onClose: () => void;
}) {
  const rows = (['prompt', 'width', 'height', 'steps', 'guidance_scale', 'seed', 'model'] as const).map(
    (name) => [name, String(one[name]), String(other[name])] as const,
  );
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
      <table className="mt-4 w-full text-sm">
        <tbody>
          {rows.map(([name, left, right]) => (
            <tr
              key={name}
              className={`border-b border-line align-top last:border-b-0 ${left === right ? 'text-muted' : ''}`}
            >
              <th scope="row" className="w-28 py-1.5 pr-3 text-left font-normal text-muted">
                {name.replace('_', ' ')}
              </th>
              <td className={`py-1.5 pr-3 wrap-anywhere ${left === right ? '' : 'font-medium'}`}>{left}</td>
              <td className={`py-1.5 wrap-anywhere ${left === right ? '' : 'font-medium'}`}>{right}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
