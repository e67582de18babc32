-- Who changed what. Rows are only ever added; each has a hash over itself and the hash of the row before it.

create table audit (
  sequence bigint primary key,        -- from 1, without a gap
  at timestamptz not null,            -- whole milliseconds
  actor text not null,
  door text not null check (door in ('cli', 'token', 'console', 'file')),
  address text,
  action text not null,
  target text not null,
  stack_id text,                      -- whose stack it concerns; null: the gateway's
  before text,                        -- JSON
  after text,                         -- JSON
  hash text not null check (hash ~ '^[0-9a-f]{64}$')
);

create index audit_by_stack on audit (stack_id, sequence);
create index audit_by_actor on audit (actor, sequence);
create index audit_by_action on audit (action, sequence);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of the audit are never changed or removed';
end $$;

create trigger audit_is_append_only before update or delete on audit
  for each row execute function refuse_audit_change();

-- A field as it is hashed: its length in bytes and its text, so that no two lists of fields look the same.
create function audit_field(field text) returns text language sql immutable as $$
  select coalesce(octet_length(convert_to(field, 'UTF8')) || ':' || field, '-')
$$;

create function audit_hash(previous text, of_row audit) returns text language sql immutable as $$
  select encode(sha256(convert_to(concat(audit_field(previous), audit_field(of_row.sequence::text),
    audit_field((extract(epoch from of_row.at) * 1000)::bigint::text), audit_field(of_row.actor),
    audit_field(of_row.door), audit_field(of_row.address), audit_field(of_row.action), audit_field(of_row.target),
    audit_field(of_row.stack_id), audit_field(of_row.before), audit_field(of_row.after)), 'UTF8')), 'hex')
$$;

-- Adds a row. Its lock is held until the transaction ends, so that there is one chain whatever the number of writers.
create function append_audit(
  by_actor text, through_door text, from_address text, of_action text, of_target text, of_stack text,
  was text, is_now text)
returns bigint language plpgsql as $$
declare
  previous text;
  added audit;
begin
  perform pg_advisory_xact_lock(7205764);
  select sequence, hash into added.sequence, previous from audit order by sequence desc limit 1;
  added.sequence := coalesce(added.sequence, 0) + 1;
  added.at := date_trunc('milliseconds', clock_timestamp());
  added.actor := by_actor;
  added.door := through_door;
  added.address := from_address;
  added.action := of_action;
  added.target := of_target;
  added.stack_id := of_stack;
  added.before := was;
  added.after := is_now;
  added.hash := audit_hash(coalesce(previous, ''), added);
  insert into audit select added.*;
  return added.sequence;
end $$;
