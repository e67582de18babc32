import { useMemo, useState } from 'react';
import { useImages } from '../../api/resources.ts';
import type { StoredImage } from '../../api/types.ts';
import { useChange } from '../../api/use-change.ts';
import { choice, number, text } from '../../state/url-state.ts';
import { useUrlState } from '../../state/use-url-state.ts';
import { Button } from '../../ui/button.tsx';
import { Listed } from '../../ui/listed.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Card } from '../../ui/page.tsx';
import { PlaygroundPage } from '../playground-page.tsx';
import { CompareDialog } from './compare-dialog.tsx';
import { Gallery } from './gallery.tsx';
import { ImageDialog } from './image-dialog.tsx';
import { type Recall, recalled, SIZES } from './image-form.ts';
import { PaintForm } from './paint-form.tsx';
import { MOST_REFERENCES, paint, requestOf } from './paint-order.ts';

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

/** Painting, and every image that the stack has stored. */
export function ImagesPage() {
  const [state, change] = useUrlState(SHAPE);
  const [files, setFiles] = useState<readonly File[]>([]);
  const parents = useMemo(() => state.edit.split(',').filter((id) => id !== ''), [state.edit]);
  const order = { form: state, parents, files };
  const painting = useChange({ send: () => paint(state.stack, order), touches: ['images'] });
  const images = useImages(state.stack);
  const all = images.data ?? [];
  const open = all.find(({ id }) => id === state.image);
  const compared = all.find(({ id }) => id === state.compare);
  const recall = (image: StoredImage, what: Recall) =>
    change({ ...recalled(image, what), ...(what !== 'seed' && { image: '' }) });
  return (
    <PlaygroundPage
      title="Images"
      lead="Everything that is painted is stored with every parameter, and gives each of them back."
      stack={state.stack}
      change={change}
      request={() => requestOf(order)}
    >
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[340px_minmax(0,1fr)]">
        <PaintForm
          order={order}
          change={change}
          onParents={(ids) => change({ edit: ids.join(',') })}
          onFiles={setFiles}
          painting={painting}
          canPaint={state.stack !== ''}
        />
        <Card title="Stored images" flush>
          <Listed
            auto
            list={images}
            empty={
              <Empty icon="image" title="No images yet">
                What this stack paints is stored, with every parameter, and shown here.
              </Empty>
            }
          >
            {(rows) => (
              <Gallery
                images={rows}
                comparing={state.compare}
                onOpen={({ id }) => change({ image: id, ...(id === state.compare && { compare: '' }) })}
              />
            )}
          </Listed>
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
