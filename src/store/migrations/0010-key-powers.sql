-- What a key is restricted to; null or false: it may do everything that its stack may.

alter table keys add column scopes text[];
alter table keys add column allowed_models text[];
alter table keys add column allowed_ips text[];
alter table keys add column read_only boolean not null default false;
alter table keys add column own_images_only boolean not null default false;
