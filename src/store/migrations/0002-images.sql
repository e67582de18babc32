-- The line in front of an image engine, the images that came out of it, and what was erased of them.

-- One row per submission of the last minute, refused with a full queue or not.
create table image_submissions (
  id bigint generated always as identity primary key,
  stack_id text not null,
  submitted_at timestamptz not null
);

create index image_submissions_by_stack on image_submissions (stack_id, submitted_at);

-- Places in the line: the id is the turn. A place whose lease ran out belongs to a process that is gone.
create table image_places (
  id bigint generated always as identity primary key,
  stack_id text not null,
  rendering boolean not null,
  rendering_limit integer not null,   -- of the stack, as its process knows it
  lease_until timestamptz not null
);

create index image_places_by_stack on image_places (stack_id, id);

create table images (
  id text collate "C" primary key check (id ~ '^img_[0-9a-f]{32}$'),   -- in byte order, as blobs are listed
  account_id text not null references accounts (id),
  stack_id text not null,
  key_id text not null,
  route text not null check (route in ('generations', 'edits')),
  model text not null,
  prompt text not null,
  width integer not null,
  height integer not null,
  steps integer not null,
  guidance_scale double precision not null,
  seed numeric(20) not null check (seed between 0 and 18446744073709551615),
  reference_count integer not null,
  size_bytes bigint not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null,    -- whole milliseconds, so that a page can end at one
  expires_at timestamptz not null,    -- from then on it is gone for everybody; a sweep removes bytes and row
  foreign key (stack_id, key_id) references keys (stack_id, id)
);

create index images_newest_first on images (stack_id, created_at desc, id desc);
create index images_by_expiry on images (expires_at);
create index images_by_account on images (account_id);

-- What an operator erased, and when the last of it was gone.
create table image_erasures (
  id bigint generated always as identity primary key,
  scope text not null check (scope in ('image', 'key', 'stack', 'account')),
  subject text not null,
  requested_at timestamptz not null default now(),
  finished_at timestamptz
);

create table erased_images (
  image_id text primary key,
  erasure_id bigint not null references image_erasures (id),
  stack_id text not null,
  key_id text not null,
  size_bytes bigint not null,
  sha256 text not null,
  created_at timestamptz not null
);

create index erased_images_by_erasure on erased_images (erasure_id);

-- Which process sweeps, and how far the search for orphans has come.
create table image_sweeps (
  id boolean primary key default true check (id),
  holder text,
  lease_until timestamptz not null default '-infinity',
  next_shard integer not null default 0,
  searched_at timestamptz not null default '-infinity'
);

insert into image_sweeps default values;

-- Every change of a stack's line happens under its lock, so that turns are handed out in the order of arrival.
-- The commit is not waited for on disk: a place that a crash of the database takes away is a lease lost.
create function lock_image_line(line_of text) returns timestamptz language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  perform pg_advisory_xact_lock(7205761, hashtext(line_of));
  return clock_timestamp();
end $$;

-- Drops the places of processes that are gone, and lets the first ones in line render. Returns who was let in.
create function move_image_line(line_of text, at_time timestamptz) returns bigint[] language plpgsql as $$
declare
  free integer;
  turns bigint[];
begin
  -- Skipping what is locked: its process is renewing the lease at this moment.
  delete from image_places where id in (
    select id from image_places where stack_id = line_of and lease_until <= at_time for update skip locked);
  -- The newest place knows the limit that is in force.
  select (array_agg(rendering_limit order by id desc))[1] - count(*) filter (where rendering) into free
    from image_places where stack_id = line_of;
  with moved as (
    update image_places set rendering = true where id in (
      select id from image_places where stack_id = line_of and not rendering
      order by id limit greatest(coalesce(free, 0), 0))
    returning id)
  select coalesce(array_agg(id order by id), '{}') into turns from moved;
  return turns;
end $$;

create function enter_image_line(
  line_of text, submissions integer, in_flight integer, rendering_limit_now integer, lease_ms integer,
  out verdict text, out place bigint, out retry_ms double precision)
language plpgsql as $$
declare
  at_time timestamptz := lock_image_line(line_of);
  window_start timestamptz := at_time - interval '1 minute';
  blocking timestamptz;
begin
  delete from image_submissions where stack_id = line_of and submitted_at <= window_start;
  select submitted_at into blocking from image_submissions where stack_id = line_of
    order by submitted_at desc offset submissions - 1 limit 1;
  if found then
    verdict := 'rate-limited';
    retry_ms := extract(epoch from blocking - window_start) * 1000;
    return;
  end if;
  insert into image_submissions (stack_id, submitted_at) values (line_of, at_time);
  if (select count(*) from image_places where stack_id = line_of and lease_until > at_time) >= in_flight then
    verdict := 'queue-full';
    select extract(epoch from submitted_at - window_start) * 1000 into retry_ms
      from image_submissions where stack_id = line_of order by submitted_at desc offset submissions - 1 limit 1;
    return;
  end if;
  insert into image_places (stack_id, rendering, rendering_limit, lease_until)
    values (line_of, false, rendering_limit_now, at_time + make_interval(secs => lease_ms / 1000.0))
    returning id into place;
  verdict := case when place = any (move_image_line(line_of, at_time)) then 'rendering' else 'waiting' end;
end $$;

-- Gives a place back. Returns who was let in by that.
create function leave_image_line(line_of text, place bigint) returns bigint[] language plpgsql as $$
declare
  at_time timestamptz := lock_image_line(line_of);
begin
  delete from image_places where id = place;
  return move_image_line(line_of, at_time);
end $$;

create function tidy_image_line(line_of text) returns bigint[] language sql as $$
  select move_image_line(line_of, lock_image_line(line_of));
$$;
