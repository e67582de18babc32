import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { ask } from '../api/client.ts';
import { SESSION } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { useForm } from '../ui/form.ts';
import { Note, Problem } from '../ui/notes.tsx';
import { DoorPage } from './door-page.tsx';

const LEAST_CHARACTERS = 12;

/** Where the links of set-up, invitation and reset lead: a name and a password, once. */
export function SetupPage() {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  // The token is in the fragment, which no server sees; it is taken once, before the address is cleaned.
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('setup') ?? '');
  const { form, fields } = useForm({ name: '', password: '', again: '' });
  const { name, password, again } = form;
  const finish = useMutation({
    mutationFn: () =>
      ask('/setup', { method: 'POST', json: { token, ...(name !== '' && { name }), password } }),
    // The token leaves the address before the page that it opens is asked for.
    onSuccess: async () => {
      navigate('/', { replace: true });
      await client.invalidateQueries({ queryKey: SESSION });
    },
  });
  const differs = again !== '' && again !== password;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!differs) finish.mutate();
  };
  if (token === '') {
    return (
      <DoorPage title="Set up">
        <Note tone="warn">
          This address has no token. Open the whole link that the gateway printed, or make another with{' '}
          <code className="font-mono text-xs">stackgate console invite</code>.
        </Note>
      </DoorPage>
    );
  }
  return (
    <DoorPage title="Choose a password" lead="The link works once, for 30 minutes.">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Name"
          autoComplete="username"
          autoFocus
          {...fields.text('name')}
          hint="As it shall stand in the audit. After a reset it may stay empty."
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          required
          minLength={LEAST_CHARACTERS}
          {...fields.text('password')}
          hint={`At least ${LEAST_CHARACTERS} characters.`}
        />
        <TextField
          label="Password again"
          type="password"
          autoComplete="new-password"
          required
          {...fields.text('again')}
          error={differs ? 'The two are not the same.' : undefined}
        />
        {finish.isError && <Problem error={finish.error} />}
        <Button type="submit" look="primary" size="large" busy={finish.isPending}>
          Set up
        </Button>
      </form>
    </DoorPage>
  );
}
