import { type FormEvent, useState } from 'react';
import { API, ask } from '../api/client.ts';
import { SESSION, useSignedIn } from '../api/session.ts';
import { useChange } from '../api/use-change.ts';
import { useFragment } from '../state/use-url-state.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Segments } from '../ui/choice.tsx';
import { TextField } from '../ui/field.tsx';
import { useForm } from '../ui/form.ts';
import { Note, Problem } from '../ui/notes.tsx';
import { DoorPage } from './door-page.tsx';

/** Why the provider of the organisation sent the browser back without a session. */
const REFUSALS: Readonly<Record<string, string>> = {
  oidc_refused: 'The provider refused the sign-in.',
  oidc_no_role: 'You are known to the provider, but have no role here. Ask an operator for one.',
  oidc_failed: 'The provider could not be asked. The log of the gateway says why.',
};

/** The log-in: a password, the provider of the organisation, or a pasted API key. */
export function LoginPage() {
  const { data } = useSignedIn();
  const [way, setWay] = useState<'password' | 'key'>('password');
  const { form, fields } = useForm({ name: '', password: '', apiKey: '' });
  const signIn = useChange({
    send: () =>
      ask('/session', {
        method: 'POST',
        json:
          way === 'password' ? { name: form.name, password: form.password } : { api_key: form.apiKey.trim() },
      }),
    touches: SESSION,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  const state = data?.session === null ? data : undefined;
  const refusal = REFUSALS[new URLSearchParams(useFragment().slice(1)).get('error') ?? ''];
  return (
    <DoorPage title="Sign in">
      {state?.needsSetup && (
        <Note tone="info">
          There is no operator yet. The gateway printed a link for the set-up when it started;{' '}
          <code className="font-mono text-xs">stackgate console invite</code> makes another.
        </Note>
      )}
      {refusal !== undefined && <Note tone="bad">{refusal}</Note>}
      {state?.oidc && (
        <a className={`${buttonClass({ look: 'primary', size: 'large' })} w-full`} href={`${API}/oidc/start`}>
          Sign in with {state.oidc.name}
        </a>
      )}
      {state?.oidc && (
        <p className="flex items-center gap-3 text-xs text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          or
        </p>
      )}
      <Segments
        wide
        label="Way to sign in"
        value={way}
        onChange={(next) => {
          setWay(next);
          signIn.reset();
        }}
        options={[
          { value: 'password', label: 'Password' },
          { value: 'key', label: 'API key' },
        ]}
      />
      <form onSubmit={submit} className="flex flex-col gap-4">
        {way === 'password' ? (
          <>
            <TextField label="Name" autoComplete="username" autoFocus required {...fields.text('name')} />
            <TextField
              label="Password"
              type="password"
              autoComplete="current-password"
              required
              {...fields.text('password')}
            />
          </>
        ) : (
          <TextField
            label="API key"
            type="password"
            autoComplete="off"
            required
            {...fields.text('apiKey')}
            placeholder="sk-…"
            hint="To look at the stack of the key. The key is exchanged for a session, and not kept."
          />
        )}
        {signIn.isError && <Problem error={signIn.error} />}
        <Button type="submit" look={state?.oidc ? 'plain' : 'primary'} size="large" busy={signIn.isPending}>
          Sign in
        </Button>
      </form>
    </DoorPage>
  );
}
