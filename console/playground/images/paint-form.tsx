import { Button } from '../../ui/button.tsx';
import { Segments } from '../../ui/choice.tsx';
import { FieldPair, NumberField, TextArea, TextField } from '../../ui/field.tsx';
import { fieldsOf } from '../../ui/form.ts';
import { Note, Problem } from '../../ui/notes.tsx';
import { Card } from '../../ui/page.tsx';
import { type ImageForm, SIZES, seedProblem } from './image-form.ts';
import { isEdit, type PaintOrder } from './paint-order.ts';
import { References, type ReferencesProps } from './references.tsx';

const SIZE_NAMES = { '1024x1024': 'Square', '1536x1024': 'Wide', '1024x1536': 'Tall' } as const;
const SIZE_OPTIONS = SIZES.map((value) => ({ value, label: SIZE_NAMES[value], note: value }));

interface PaintFormProps extends Pick<ReferencesProps, 'onParents' | 'onFiles'> {
  readonly order: PaintOrder;
  readonly change: (next: Partial<ImageForm>) => void;
  readonly painting: {
    readonly isPending: boolean;
    readonly error: unknown;
    readonly data: readonly string[] | undefined;
    readonly mutate: () => void;
  };
  readonly canPaint: boolean;
}

/** The form for an image. */
export function PaintForm({ order, change, onParents, onFiles, painting, canPaint }: PaintFormProps) {
  const { form, parents, files } = order;
  const fields = fieldsOf(form, change);
  const edits = isEdit(order);
  const problem = seedProblem(form.seed);
  return (
    <Card title={edits ? 'Edit' : 'Paint'} className="lg:sticky lg:top-5">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!painting.isPending) painting.mutate();
        }}
      >
        <TextArea
          label={edits ? 'What shall change' : 'Prompt'}
          rows={4}
          {...fields.text('prompt')}
          placeholder={edits ? 'make it winter' : 'a watercolour fox in the snow'}
        />
        <Segments wide label="Size" labelHidden={false} options={SIZE_OPTIONS} {...fields.choice('size')} />
        <FieldPair short>
          <NumberField label="Steps" min={1} max={8} {...fields.number('steps')} />
          <NumberField label="Guidance" min={0} max={20} step={0.1} {...fields.number('guidance')} />
        </FieldPair>
        <TextField
          label="Seed"
          inputMode="numeric"
          fieldClass="tabular"
          placeholder="drawn for each image"
          {...fields.text('seed')}
          error={problem}
        />
        <References parents={parents} files={files} onParents={onParents} onFiles={onFiles} />
        {painting.error !== null && <Problem error={painting.error} />}
        {painting.data !== undefined && painting.data.length > 0 && <UnknownWords words={painting.data} />}
        <Button
          type="submit"
          look="primary"
          size="large"
          icon="image"
          busy={painting.isPending}
          disabled={!canPaint || form.prompt.trim() === '' || problem !== undefined}
        >
          {painting.isPending ? 'Painting' : edits ? 'Edit image' : 'Paint image'}
        </Button>
      </form>
    </Card>
  );
}

/** Words of the prompt that the model ignored. */
function UnknownWords({ words }: { words: readonly string[] }) {
  return (
    <Note tone="warn">
      {words.length === 1 ? 'The model does not know this word: ' : 'The model does not know these words: '}
      <strong className="font-semibold">{words.join(', ')}</strong>. It was painted without{' '}
      {words.length === 1 ? 'it' : 'them'}.
    </Note>
  );
}
