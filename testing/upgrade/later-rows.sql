-- Rows of every table and column that came after version 0.1.0, beside those of v0.1.0/data.sql.
update accounts set budget = '{"hard": 100, "soft": 80}', budget_declared = true where id = 'acme';
update stacks set budget = '{"hard": 50.5}' where id = 'shop';
update keys set scopes = '{chat,images}', allowed_models = '{tiny}', allowed_ips = '{10.0.0.0/8,2001:db8::/32}', read_only = true,
  own_images_only = true, budget = '{"soft": 0.1}' where stack_id = 'shop' and id = 'old';
update usage_days set cost_micros = 0.1 + 0.2;
update images set reference_hashes = array[repeat('d', 64)], unknown_words = array['zyx', 'a "b", \c'];
insert into limit_shares values ('money', '@acme', '', '2026-11-01', 'one', 42, 0, 42, 'infinity');
insert into budget_notices (id, scope, account_id, stack_id, key_id, month, level, limit_micros, used_micros)
  values ('notice_1', 'account', 'acme', '', '', '2026-11-01', 'soft', 80000000, 9007199254740993);
insert into idempotent_requests (id, stack_id, fingerprint, answer, size_bytes, expires_at)
  values (repeat('1', 64), 'shop', 'f', '\x00ff', 2, '2999-01-01');
insert into idempotency_totals values ('shop', 1, 2);
insert into operator_tokens (name, secret_hash, read_only, stack_id) values
  ('ci', repeat('2', 64), false, null), ('shop-reports', repeat('3', 64), true, 'shop');
insert into people (name, role, stack_id, password_hash, created_at) values
  ('ann', 'operator', null, 'scrypt', '2026-11-17 01:02:03.456'), ('oidc:bob@example.com', 'member', 'shop', null, '2026-11-17');
insert into console_sessions (token_hash, person, opened_at, seen_at) values (repeat('4', 64), 'ann', '2026-11-17', '2026-11-17');
insert into console_sessions (token_hash, stack_id, key_id, opened_at, seen_at)
  values (repeat('5', 64), 'shop', 'web', '2026-11-17', '2026-11-17');
insert into setup_links (token_hash, name, role, stack_id, expires_at) values (repeat('6', 64), 'eve', 'member', 'shop', '2999-01-01');
select append_audit('ann', 'console', '10.1.2.3', 'key.change', 'shop/web', 'shop', '{"a":1}', '{"a":"ä \"b\""}');
select append_audit('file', 'file', null, 'stack.change', 'shop', 'shop', null, '{}');
insert into knowledge_folders (stack_id, source, looked_at, files) values ('shop', 'docs/', '2026-11-17', 2);
