import type { Models } from '../../api/resources.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import {
  FieldColumn,
  FieldPair,
  MostTokensField,
  TemperatureField,
  TextArea,
  Toggle,
} from '../../ui/field.tsx';
import { fieldsOf } from '../../ui/form.ts';
import { Problem } from '../../ui/notes.tsx';
import { Card } from '../../ui/page.tsx';
import { prettyJson } from '../pretty-json.ts';
import type { ChatState } from './chat-state.ts';
import { SourcesField } from './sources-field.tsx';

const EXAMPLE_TOOLS = prettyJson([
  {
    name: 'weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]);

interface ChatSettingsProps {
  readonly state: ChatState;
  readonly change: (next: Partial<ChatState>) => void;
  readonly model: string;
  readonly models: Models;
  readonly problems: { readonly tools: string | undefined; readonly schema: string | undefined };
}

/** Everything that a request has beside its turns. */
export function ChatSettings({ state, change, model, models, problems }: ChatSettingsProps) {
  const fields = fieldsOf(state, change);
  const choices = models.names.includes(model) ? models.names : [model, ...models.names];
  return (
    <Card title="Settings">
      <FieldColumn>
        {models.error !== null && <Problem error={models.error} retry={models.retry} />}
        <Choice
          label="Model"
          value={model}
          onChange={(next) => change({ model: next })}
          options={choices.map((value) => ({ value, label: value || 'none' }))}
        />
        <TextArea
          label="System"
          rows={3}
          {...fields.text('system')}
          placeholder="Empty: the stack’s own prompt"
        />
        <FieldPair short>
          <TemperatureField placeholder="as the stack" {...fields.number('temperature')} />
          <MostTokensField {...fields.number('maxTokens')} />
        </FieldPair>
        <Toggle label="Stream the answer" {...fields.flag('stream')} />
        <SourcesField stack={state.stack} models={models} {...fields.flag('sources')} />
        <TextArea
          code
          label="Schema of the answer"
          rows={state.schema === '' ? 2 : 8}
          {...fields.text('schema')}
          placeholder='{"type": "object", …}'
          error={problems.schema}
        />
        <TextArea
          code
          label="Tools"
          rows={state.tools === '' ? 2 : 8}
          {...fields.text('tools')}
          placeholder='[{"name": …, "parameters": …}]'
          error={problems.tools}
        />
        {state.tools === '' && (
          <Button
            size="small"
            look="quiet"
            icon="plus"
            className="-mt-2 -ml-2 self-start"
            onClick={() => change({ tools: EXAMPLE_TOOLS })}
          >
            Insert an example of a tool
          </Button>
        )}
      </FieldColumn>
    </Card>
  );
}
