-- Which process makes the scheduled backup, and which one was made last.
create table backup_schedule (
  id boolean primary key default true check (id),
  done_until timestamptz not null default '-infinity',   -- the time that the last backup was planned for
  holder text,
  lease_until timestamptz not null default '-infinity'
);

insert into backup_schedule default values;
