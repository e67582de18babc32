import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api/client.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';

/** Another password; every other session of the person ends with it. */
export function PasswordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const close = () => {
    setCurrent('');
    setPassword('');
    change.reset();
    onClose();
  };
  const change = useMutation({
    mutationFn: () => ask('/password', { method: 'POST', json: { current, password } }),
    onSuccess: close,
  });
  return (
    <FormDialog
      open={open}
      onClose={close}
      title="Change password"
      lead="Your other sessions end with it."
      action="Change password"
      busy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate()}
      disabled={current === '' || password === ''}
    >
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        value={current}
        onText={setCurrent}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        value={password}
        onText={setPassword}
      />
    </FormDialog>
  );
}
