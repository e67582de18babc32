-- When a key got its secret, and sessions of pasted keys that end with the secret that opened them.

alter table keys add column secret_set_at timestamptz;   -- null: it has no secret
update keys set secret_set_at = (
  select max(created_at) from key_secrets where key_secrets.stack_id = keys.stack_id and key_id = keys.id);

-- Of those that are open it is not known which secret opened them: people paste their keys again.
delete from console_sessions where key_id is not null;
alter table console_sessions
  add column secret_hash text references key_secrets (secret_hash) on delete cascade;

create index console_sessions_by_key on console_sessions (stack_id, key_id, opened_at);
create index console_sessions_by_secret on console_sessions (secret_hash);
create index console_sessions_by_opening on console_sessions (opened_at);
create index console_sessions_by_last_use on console_sessions (seen_at);
