-- Rows of every table that version 0.1.0 keeps data in.
insert into accounts (id) values ('acme'), ('other');
insert into stacks (id, account_id, plan, image_plan, text_engines, system_prompt, temperature, limits, declared, store_responses)
  values ('shop', 'acme', 'max', true, '{gpu,spare}', 'Be brief.', 0.5, '{"tokensPerDay": 9007199254740993}', true, true),
    ('blog', 'other', 'go', false, null, null, null, '{}', false, false);
insert into keys (stack_id, id, prompt, retrieval, knowledge, expires_at, declared, limits)
  values ('shop', 'web', null, true, 'write', null, true, '{"requestsPerMinute": 60}'),
    ('shop', 'old', 'a fox', false, null, '2026-01-01', false, '{}'), ('blog', 'web', null, false, 'read', null, false, '{}');
insert into key_secrets (secret_hash, stack_id, key_id) values
  (repeat('a', 64), 'shop', 'web'), (repeat('b', 64), 'shop', 'old'), (repeat('c', 64), 'blog', 'web');
insert into images values ('img_' || repeat('1', 32), 'acme', 'shop', 'web', 'generations', 'flux', 'a fox', 1024, 1024, 4, 1.5,
  18446744073709551615, 0, 123, repeat('d', 64), '2026-11-01', '2999-01-01');
insert into image_erasures (scope, subject, finished_at) values ('key', 'shop/old', now());
insert into erased_images values ('img_' || repeat('2', 32), 1, 'shop', 'old', 5, repeat('e', 64), '2026-10-01');
insert into knowledge_documents (id, stack_id, name, declared, blob, sha256, size_bytes, state, progress, cut_chunks, searchable_version,
  chunks, embedding_model) values ('doc_' || repeat('3', 32), 'shop', 'prices.md', false, 'knowledge/x', repeat('f', 64), 10, 'ready', 1, 1, 1, 1, 'e5');
insert into knowledge_chunks values ('doc_' || repeat('3', 32), 1, 0, 'A fox costs 5.', '{Prices}', null, '\x0102', 'e5');
insert into knowledge_generations values ('shop', 'g1');
insert into knowledge_leftovers (blob) values ('knowledge/gone');
insert into usage_days values ('2026-11-16', 'acme', 'shop', 'web', '/v1/chat/completions', 'tiny', 3, 30, 12, 0, 0, 0, 0, 1, 0, 0, 21.5, 9,
  '{0,3}');
insert into usage_writers (process, sequence) values ('one', 7);
insert into limit_shares values ('tokens', 'shop', '', '2026-11-16', 'one', 42, 0, 42, '2026-11-16');
insert into responses values ('resp_1', 'acme', 'shop', 'web', 'tiny', 'completed', false, null, 'conv_1', '{}', '[]', '[]', 4, 6, '2026-11-01',
  '2999-01-01'), ('resp_2', 'acme', 'shop', 'web', 'tiny', 'queued', true, 'resp_1', null, '{}', '[]', '[]', 4, 6, '2026-11-02', '2999-01-01');
insert into response_items values ('resp_1', true, 0, 'shop', 'msg_1');
insert into conversations values ('conv_1', 'acme', 'shop', 'web', '{}', 3, '2026-11-01', '2999-01-01');
insert into conversation_items (conversation_id, item_id, item, size_bytes) values ('conv_1', 'msg_1', '{}', 2);
insert into response_jobs (response_id, stack_id, key_id, request, streams) values ('resp_2', 'shop', 'web', '{}', true);
insert into response_events values ('resp_2', 0, 'event: response.queued');
insert into response_leftovers (blob) values ('responses/00/gone');
insert into response_erasures (scope, subject) values ('response', 'resp_0');
insert into erased_responses values ('resp_0', 1, 'shop', 'web', 5, '2026-10-01');
insert into files values ('file_' || repeat('4', 32), 'acme', 'shop', 'web', 'a.pdf', 'user_data', 9, repeat('0', 64), 86400, null, '2026-11-01',
  '2999-01-01');
insert into file_erasures (scope, subject) values ('file', 'file_' || repeat('5', 32));
insert into erased_files values ('file_' || repeat('5', 32), 1, 'shop', 'web', 5, null, '2026-10-01');
insert into link_secrets (secret) values ('\x00ff');
