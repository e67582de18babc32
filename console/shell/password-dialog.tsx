import { ask } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { useForm } from '../ui/form.ts';

/** Another password; every other session of the person ends with it. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const { form, fields } = useForm({ current: '', password: '' });
  const change = useChange({
    send: () => ask('/password', { method: 'POST', json: form }),
    touches: [],
    onDone: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Change password"
      lead="Your other sessions end with it."
      action="Change password"
      change={change}
      disabled={form.current === '' || form.password === ''}
    >
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...fields.text('current')}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        minLength={12}
        hint="At least 12 characters."
        {...fields.text('password')}
      />
    </FormDialog>
  );
}
