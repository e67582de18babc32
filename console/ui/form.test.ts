import { expect, it } from 'vitest';
import { fieldsOf } from './form.ts';

it('ties a field of each kind to the member that it names', () => {
  const changes: object[] = [];
  const state = {
    prompt: 'a fox',
    steps: 4 as number | null,
    stream: true,
    wire: 'chat' as 'chat' | 'messages',
  };
  const fields = fieldsOf(state, (next) => changes.push(next));
  expect(fields.text('prompt').value).toBe('a fox');
  expect(fields.number('steps').value).toBe(4);
  expect(fields.flag('stream').checked).toBe(true);
  expect(fields.choice('wire').value).toBe('chat');
  fields.text('prompt').onText('a hare');
  fields.number('steps').onNumber(null);
  fields.flag('stream').onChange(false);
  fields.choice('wire').onChange('messages');
  expect(changes).toEqual([{ prompt: 'a hare' }, { steps: null }, { stream: false }, { wire: 'messages' }]);
});
