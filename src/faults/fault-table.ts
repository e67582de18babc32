/** A row of the table: the response to clients, and the text of the manual. */
interface FaultRow {
  readonly status: number;
  /** The stable code that clients branch on; absent if the status suffices. */
  readonly wireCode?: string;
  /** Seconds for `Retry-After`, unless the fault knows better. */
  readonly retryAfterSeconds?: number;
  /** False: tells clients that retry such a status by themselves not to. */
  readonly shouldRetry?: false;
  /** When this happens, for docs/errors.md. */
  readonly meaning: string;
  /** Advice for the caller or operator, for docs/errors.md. */
  readonly remedy: string;
}

/** Every way to fail. Status numbers are chosen here and nowhere else. */
export const faultTable = {
  'request-malformed': {
    status: 400,
    meaning:
      'The bytes are not HTTP/1.1, headers are missing or contradict each other, the URL is not decodable, or a form is not whole, has more than 1,000 parts or a field name over 200 bytes.',
    remedy: 'Send a well-formed request.',
  },
  'json-malformed': {
    status: 400,
    meaning: 'The body is not JSON in UTF-8, or is empty.',
    remedy: 'Send one JSON value; the message names the position where it is known.',
  },
  'json-too-deep': {
    status: 400,
    meaning: 'The JSON body nests deeper than 200 levels.',
    remedy: 'Flatten the body.',
  },
  'invalid-request': {
    status: 400,
    wireCode: 'invalid_request',
    meaning: 'A field is missing, of the wrong type or out of its range; the message and `param` name it.',
    remedy: 'Correct the field.',
  },
  'context-length-exceeded': {
    status: 400,
    wireCode: 'context_length_exceeded',
    meaning: 'The prompt and the reserved output do not fit the context window together.',
    remedy: 'Shorten the conversation; the message names both numbers.',
  },
  'engine-refused': {
    status: 400,
    wireCode: 'engine_refused',
    meaning:
      'The model server refused what was asked of it, for example a kind of input that the model does not take.',
    remedy: 'Change the request; the log of the model server tells more.',
  },
  'invalid-prompt': {
    status: 400,
    wireCode: 'invalid_prompt',
    meaning: 'On an image route: `prompt` is not a text.',
    remedy: 'Send `prompt` as a string.',
  },
  'missing-prompt': {
    status: 400,
    wireCode: 'missing_prompt',
    meaning: 'On an image route: `prompt` is absent or blank, and the key has none of its own.',
    remedy: 'Send a `prompt`, or set one on the key.',
  },
  'invalid-size': {
    status: 400,
    wireCode: 'invalid_size',
    meaning: 'On an image route: `size` is not one of the three that are painted.',
    remedy: 'Send `1024x1024`, `1536x1024` or `1024x1536`.',
  },
  'invalid-steps': {
    status: 400,
    wireCode: 'invalid_steps',
    meaning: 'On an image route: `steps` is not an integer from 1 to 8.',
    remedy: 'Send an integer from 1 to 8.',
  },
  'invalid-guidance-scale': {
    status: 400,
    wireCode: 'invalid_guidance_scale',
    meaning: 'On an image route: `guidance_scale` is not a number from 0 to 20.',
    remedy: 'Send a number from 0 to 20.',
  },
  'invalid-seed': {
    status: 400,
    wireCode: 'invalid_seed',
    meaning:
      'On an image route: `seed` is not an integer from 0 to 18446744073709551615, written without point and exponent.',
    remedy: 'Send such an integer, or none.',
  },
  'invalid-n': {
    status: 400,
    wireCode: 'invalid_n',
    meaning: 'On an image route: `n` is not 1.',
    remedy: 'Send one request per image.',
  },
  'invalid-response-format': {
    status: 400,
    wireCode: 'invalid_response_format',
    meaning: 'On an image route: `response_format` is not `b64_json`.',
    remedy: 'Leave it out; the image is in the answer.',
  },
  'wrong-route-for-reference-image': {
    status: 400,
    wireCode: 'wrong_route_for_reference_image',
    meaning: 'An image was sent to `/v1/images/generations`.',
    remedy: 'Send it to `/v1/images/edits`.',
  },
  'mask-not-supported': {
    status: 400,
    wireCode: 'mask_not_supported',
    meaning: 'A `mask` was sent.',
    remedy: 'Leave it out, and say in the prompt what to change.',
  },
  'missing-image': {
    status: 400,
    wireCode: 'missing_image',
    meaning: 'An edit came without a file in `image` or `image[]`.',
    remedy: 'Send 1 to 4 files.',
  },
  'too-many-reference-images': {
    status: 400,
    wireCode: 'too_many_reference_images',
    meaning: 'An edit came with more than 4 files, or with more than the image engine of the stack takes.',
    remedy: 'Send fewer; the message names the number.',
  },
  'unsupported-image-format': {
    status: 400,
    wireCode: 'unsupported_image_format',
    meaning: 'A reference is not a PNG, JPEG or WEBP, or cannot be decoded.',
    remedy: 'Send whole files in one of these formats; names and types of parts do not count.',
  },
  'document-unreadable': {
    status: 400,
    wireCode: 'document_unreadable',
    meaning:
      'A document or an image cannot be read: it is damaged, needs a password, is no such file, or takes more time or memory than any real one.',
    remedy: 'Send another copy of the file; the message says what is wrong with it.',
  },
  'document-empty': {
    status: 400,
    wireCode: 'document_empty',
    meaning: 'A file has no bytes, no pages or, also after OCR, no text; the message names it.',
    remedy: 'Leave the file out, or send one that says something.',
  },
  'schema-invalid': {
    status: 400,
    wireCode: 'schema_invalid',
    meaning:
      'The schema of an extraction is not JSON, no JSON Schema, too complex, or no object can satisfy it; the message says which.',
    remedy: '`stackgate schema check` tells more.',
  },
  'html-unrenderable': {
    status: 400,
    meaning:
      'On PDF generation: the HTML could not be rendered: it took too long, or the renderer crashed on it.',
    remedy: 'Simplify the HTML; very large tables, deep nesting and SVG filters cost most.',
  },
  'model-output-truncated': {
    status: 400,
    meaning: "On PDF generation by instruction: the model's HTML did not fit `max_tokens`.",
    remedy: 'Raise `max_tokens`, or ask for a shorter document.',
  },
  'session-required': {
    status: 401,
    meaning: 'On the console: there is no session, or it is over.',
    remedy: 'Log in at `/console/`.',
  },
  'log-in-refused': {
    status: 401,
    meaning: 'On the console: the name or the password is wrong.',
    remedy: 'Try again; `stackgate console reset NAME` makes a link by which a new password is set.',
  },
  'credential-refused': {
    status: 401,
    wireCode: 'invalid_api_key',
    meaning: 'The API key is missing, malformed, unknown, revoked or expired: one answer for all of them.',
    remedy: 'Send `Authorization: Bearer <key>`; `stackgate keys create` makes a key.',
  },
  'operator-refused': {
    status: 403,
    meaning:
      'The operator may see this and not do it: it is read-only, has one stack, is a member of it, or pasted an API key.',
    remedy: 'Use the token or the account of an operator who may.',
  },
  'origin-refused': {
    status: 403,
    meaning: 'A page of another origin called `/mcp` or the console from a browser.',
    remedy: 'List the origin in `server.cors.origins`.',
  },
  'address-not-allowed': {
    status: 403,
    wireCode: 'address_not_allowed',
    meaning: 'The key has `allowed_ips`, and the address of the client is not among them.',
    remedy: 'Call from an allowed address, or add it to the key; behind a proxy see `server.trust_proxy`.',
  },
  'scope-not-allowed': {
    status: 403,
    wireCode: 'scope_not_allowed',
    meaning: 'The key has `scopes`, and this part of the API is not among them.',
    remedy: 'Use another key, or add the scope that the message names to this one.',
  },
  'model-not-allowed': {
    status: 403,
    wireCode: 'model_not_allowed',
    meaning: 'The key has `models`, and the model that would serve the request is not among them.',
    remedy: 'Use another key, or add the model that the message names to this one.',
  },
  'key-read-only': {
    status: 403,
    wireCode: 'key_read_only',
    meaning:
      'The key is `read_only`, and the request would change or cost something. Counting tokens costs something where a model server has no tokenizer.',
    remedy: 'Use another key.',
  },
  'image-plan-required': {
    status: 403,
    meaning: 'The key belongs to a stack that is not on the image plan.',
    remedy: 'Set `image_plan: true` on the stack.',
  },
  'knowledge-not-allowed': {
    status: 403,
    wireCode: 'knowledge_not_allowed',
    meaning:
      'The key may not do this with the knowledge of its stack: `read` lists it, `write` also changes it.',
    remedy: 'Set `knowledge: read` or `knowledge: write` on the key.',
  },
  'setup-link-refused': {
    status: 403,
    meaning: 'On the console: the link was used already, is older than 30 minutes, or is no link.',
    remedy: '`stackgate console invite` and `stackgate console reset` make another one.',
  },
  'link-refused': {
    status: 403,
    wireCode: 'link_refused',
    meaning:
      'The signature of a link to a file does not fit its path, method and time, the link is over an hour old, or the key that made it is not valid any more.',
    remedy: 'Ask for a new link, with a key.',
  },
  'path-not-found': {
    status: 404,
    meaning: 'No endpoint has this path.',
    remedy: 'See `/docs` for the list of endpoints.',
  },
  'previous-response-not-found': {
    status: 400,
    wireCode: 'previous_response_not_found',
    meaning:
      'The response in `previous_response_id`, or one before it, is not there: never stored, deleted or expired.',
    remedy: 'Send the whole conversation in `input`.',
  },
  'item-not-found': {
    status: 400,
    wireCode: 'item_not_found',
    meaning: 'An `item_reference` names an item that is not kept.',
    remedy: 'Set `store: false` in the client, so that it sends whole items.',
  },
  'response-not-cancellable': {
    status: 400,
    wireCode: 'response_not_cancellable',
    meaning: 'The response was not made with `background: true`, or it has ended.',
    remedy: 'Cancel only responses in the background whose status is `queued` or `in_progress`.',
  },
  'response-not-found': {
    status: 404,
    wireCode: 'response_not_found',
    meaning: 'The stack has no response of that id, or has none any more.',
    remedy:
      'Use the id of a response that was stored: neither the request nor the stack says `store: false`.',
  },
  'conversation-not-found': {
    status: 404,
    wireCode: 'conversation_not_found',
    meaning: 'The stack has no conversation of that id, or has none any more.',
    remedy: 'Use the id of a conversation that `POST /v1/conversations` made.',
  },
  'conversation-item-not-found': {
    status: 404,
    wireCode: 'conversation_item_not_found',
    meaning: 'The conversation has no item of that id.',
    remedy: 'Use an id from `GET /v1/conversations/{id}/items`.',
  },
  'console-not-built': {
    status: 404,
    meaning: 'The files of the console are not part of this installation.',
    remedy: 'Run `npm run build`, or install the package again.',
  },
  'model-not-found': {
    status: 404,
    wireCode: 'model_not_found',
    meaning: 'The stack does not serve a model of that name.',
    remedy: 'Use a value from `GET /v1/models`.',
  },
  'image-not-found': {
    status: 404,
    meaning: 'The stack has no image of that name, or has none any more.',
    remedy: 'Use an id from `GET /v1/images`.',
  },
  'file-not-found': {
    status: 404,
    wireCode: 'file_not_found',
    meaning: 'The stack has no file of that id, or has it no more.',
    remedy: 'Use an id from `GET /v1/files`.',
  },
  'document-not-found': {
    status: 404,
    wireCode: 'document_not_found',
    meaning: 'The knowledge of the stack has no document of that id.',
    remedy: 'Use an id from `GET /v1/knowledge`.',
  },
  'admin-object-not-found': {
    status: 404,
    meaning: 'On the admin API: there is no such thing, or the operator may not see it.',
    remedy: 'Use a name from the list of such things.',
  },
  'method-not-allowed': {
    status: 405,
    meaning: 'The path exists, but not with this method.',
    remedy: 'Use a method from the `Allow` header.',
  },
  'request-timeout': {
    status: 408,
    meaning: 'The head or the body of the request came too slowly.',
    remedy: 'Send the request again, in one go.',
  },
  'idempotency-key-invalid': {
    status: 400,
    wireCode: 'idempotency_key_invalid',
    meaning: 'The `Idempotency-Key` header is empty or longer than 255 characters.',
    remedy: 'Send 1 to 255 characters, for example a random UUID.',
  },
  'idempotency-key-in-use': {
    status: 409,
    wireCode: 'idempotency_key_in_use',
    meaning:
      'The first request with this `Idempotency-Key` still runs, on this or another replica, and this one has waited 240 seconds for its answer.',
    remedy: 'Send the same request again later.',
  },
  'idempotency-key-reused': {
    status: 422,
    wireCode: 'idempotency_key_reused',
    meaning:
      'This `Idempotency-Key` was used for a request with another URL, type or body within the last 24 hours.',
    remedy: 'Use a new key for each new request.',
  },
  'document-declared': {
    status: 409,
    wireCode: 'document_declared',
    meaning:
      'The configuration file owns the document of that name, so it can be neither replaced nor removed here.',
    remedy: 'Choose another name, or take the file out of `stacks[].knowledge`.',
  },
  'knowledge-full': {
    status: 409,
    wireCode: 'knowledge_full',
    meaning: 'The knowledge of the stack has 10,000 documents, which is the most there can be.',
    remedy: 'Remove documents, or join small ones.',
  },
  'file-already-uploaded': {
    status: 409,
    wireCode: 'file_already_uploaded',
    meaning: 'Bytes were sent for a file that has them already, or gets them at this moment.',
    remedy: 'Make another file.',
  },
  'admin-conflict': {
    status: 409,
    meaning:
      'On the admin API: there is a thing of that name already, or the configuration file owns it, so it can only be changed there.',
    remedy: 'Choose another name, or change the file; the message says which.',
  },
  'etag-stale': {
    status: 412,
    meaning: 'On the admin API: `If-Match` names a state of the object that is over.',
    remedy: 'Read the object again, then decide whether to change it still.',
  },
  'body-too-large': {
    status: 413,
    meaning: 'The body is over the cap of the route, or a schema to check is over 65,536 bytes.',
    remedy: 'Send less; the message names the cap.',
  },
  'schema-too-large': {
    status: 413,
    wireCode: 'schema_too_large',
    meaning: 'The schema of an extraction is over 65,536 bytes.',
    remedy: 'Trim the schema.',
  },
  'field-too-large': {
    status: 413,
    meaning: 'On extraction: `system` or `user` is over 4 MiB.',
    remedy: 'Send less; long before that it no longer fits the context window.',
  },
  'extraction-limit-exceeded': {
    status: 413,
    wireCode: 'extraction_limit_exceeded',
    meaning:
      'The files of an extraction are over a limit of the plan: their number, bytes, pages or pixels. The message names it.',
    remedy: 'Send less at once, or raise the limit of the plan.',
  },
  'image-too-large': {
    status: 413,
    wireCode: 'image_too_large',
    meaning:
      'On an image route: the body is over the cap of the route, or a reference is over 5 MiB or over 40 megapixels.',
    remedy: 'Send fewer or smaller images.',
  },
  'document-too-large': {
    status: 413,
    wireCode: 'document_too_large',
    meaning: 'A document for the knowledge of a stack is over 50,000,000 bytes.',
    remedy: 'Split the document.',
  },
  'file-too-large': {
    status: 413,
    wireCode: 'file_too_large',
    meaning:
      'An uploaded file is over `files.max_bytes` or over the size it was announced with, or the stored files that a request names are too large together.',
    remedy: 'Send less; the message names the size.',
  },
  'html-too-large': {
    status: 413,
    meaning: "On PDF generation: the HTML, sent or written by the model, is over the plan's size limit.",
    remedy: 'Send less HTML, for example smaller pictures.',
  },
  'pdf-too-long': {
    status: 413,
    meaning: "On PDF generation: the PDF would have more pages than the plan's limit.",
    remedy: 'Shorten the document, or split it.',
  },
  'json-too-complex': {
    status: 413,
    meaning: 'The JSON body holds more than 250,000 values.',
    remedy: 'Split the request.',
  },
  'url-too-long': {
    status: 414,
    meaning: 'The URL is longer than 8,192 bytes.',
    remedy: 'Put the data into the body.',
  },
  'content-type-unsupported': {
    status: 415,
    meaning: 'The route takes another `Content-Type`, or the body is compressed.',
    remedy: 'Send the type that the message names, uncompressed.',
  },
  'field-unacceptable': {
    status: 422,
    meaning:
      'On extraction: no file or no `schema` was sent, `max_tokens` is out of its range, or `citations` or `confidence` is neither true nor false.',
    remedy: 'Correct the field that the message names.',
  },
  'max-tokens-out-of-range': {
    status: 422,
    meaning:
      'On PDF generation by instruction: `max_tokens` is outside the accepted range, or not an integer.',
    remedy: 'Send an integer in the range that the message names, or leave it out.',
  },
  'rate-limited': {
    status: 429,
    retryAfterSeconds: 5,
    meaning: 'The stack or the key sent as many requests in the last minute as it may.',
    remedy: 'Wait as `Retry-After` says, or raise `requests_per_minute`.',
  },
  'too-many-in-flight': {
    status: 429,
    retryAfterSeconds: 1,
    meaning: 'The stack or the key has as many requests in flight as it may.',
    remedy: 'Wait for one to end, or raise `concurrent_requests`.',
  },
  'token-budget-exceeded': {
    status: 429,
    wireCode: 'token_budget_exceeded',
    retryAfterSeconds: 59,
    shouldRetry: false,
    meaning:
      'The stack has used the tokens of this UTC day, those that requests in flight have reserved included.',
    remedy: 'Wait for the end of the day, which the message names, or raise `tokens_per_day`.',
  },
  'budget-exceeded': {
    status: 429,
    wireCode: 'budget_exceeded',
    retryAfterSeconds: 59,
    shouldRetry: false,
    meaning:
      'The account, the stack or the key has spent its money of this month (UTC), what requests in flight may cost included.',
    remedy: 'Wait for the end of the month, which the message names, or raise the `budget` that it names.',
  },
  'too-many-log-ins': {
    status: 429,
    retryAfterSeconds: 59,
    meaning:
      'On the console: 10 log-ins to one name or 30 from one address failed within 15 minutes, one key was used for 20 log-ins in that time, or too many log-ins or sessions are being checked at this moment.',
    remedy: 'Wait, or use a link of `stackgate console reset NAME`.',
  },
  'too-many-operator-requests': {
    status: 429,
    retryAfterSeconds: 1,
    meaning:
      'On the admin API and the console: one operator has 32 requests waiting, or all of them together have 256.',
    remedy: 'Wait for answers before sending more.',
  },
  'too-many-wrong-keys': {
    status: 429,
    wireCode: 'too_many_wrong_keys',
    retryAfterSeconds: 59,
    shouldRetry: false,
    meaning: 'The address sent more than 100 wrong API keys within a minute, and another one now.',
    remedy: 'Send a valid key: it is served, also from that address.',
  },
  'storage-quota-exceeded': {
    status: 429,
    wireCode: 'storage_quota_exceeded',
    retryAfterSeconds: 59,
    shouldRetry: false,
    meaning:
      'The stack has stored as many bytes of images, files, documents and responses as it may, or would with this.',
    remedy: 'Delete images, files, documents or responses, wait until they expire, or raise `storage_bytes`.',
  },
  'too-many-background-responses': {
    status: 429,
    wireCode: 'too_many_background_responses',
    retryAfterSeconds: 5,
    meaning: 'The stack has 100 responses in the background that have not ended.',
    remedy: 'Wait until some of them end, or cancel some.',
  },
  'image-rate-limited': {
    status: 429,
    retryAfterSeconds: 5,
    meaning: 'The stack submitted more images in the last minute than its plan allows.',
    remedy: 'Wait as `Retry-After` says, or raise `images.submissions_per_minute`.',
  },
  'image-queue-full': {
    status: 429,
    wireCode: 'queue_full',
    retryAfterSeconds: 5,
    meaning: 'The stack has as many images in flight as its plan allows.',
    remedy: 'Wait for one to end, or raise `images.in_flight`.',
  },
  'pdf-in-flight': {
    status: 429,
    retryAfterSeconds: 1,
    meaning:
      'On PDF generation: as many documents are being printed as the server, or one stack on it, may print at a time.',
    remedy: 'Retry shortly, or raise `engines.pdf.max_in_flight`.',
  },
  'headers-too-large': {
    status: 431,
    meaning: 'The head of the request is over 16 KiB.',
    remedy: 'Send fewer or shorter headers.',
  },
  internal: {
    status: 500,
    meaning: 'The gateway met a bug. The log has it under the request id.',
    remedy: 'Report it with the request id.',
  },
  'engine-failed': {
    status: 502,
    wireCode: 'upstream_error',
    meaning: 'The model server could not be reached, broke off, or answered something that is no answer.',
    remedy: 'Retry. If it lasts, `stackgate doctor` and the log tell why.',
  },
  'extraction-invalid': {
    status: 502,
    meaning:
      'The output of the model does not satisfy the schema, also at the second try, or the extracted JSON is over `max_tokens`. `raw_output` holds it; where it is cut off, it did not fit.',
    remedy: 'Raise `max_tokens`, split the document or trim the schema.',
  },
  'engine-overloaded': {
    status: 502,
    wireCode: 'upstream_error',
    retryAfterSeconds: 5,
    meaning: 'The model server said that it has too much to do.',
    remedy: 'Retry after the delay, or add a replica.',
  },
  'response-not-stored': {
    status: 503,
    wireCode: 'response_not_stored',
    retryAfterSeconds: 5,
    meaning: 'The response was made but could not be stored, so it is not answered as if it were.',
    remedy:
      'Retry, or send `store: false`. If it lasts, `stackgate doctor` tells what is wrong with the storage.',
  },
  'image-not-stored': {
    status: 502,
    meaning: 'The image was made but could not be stored, so it is not handed out; nothing of it remains.',
    remedy: 'Retry. If it lasts, `stackgate doctor` tells what is wrong with the storage.',
  },
  'file-not-stored': {
    status: 502,
    meaning: 'The file could not be stored; nothing of it remains.',
    remedy: 'Retry. If it lasts, `stackgate doctor` tells what is wrong with the storage.',
  },
  'document-not-stored': {
    status: 502,
    meaning: 'The document could not be stored; nothing of it remains.',
    remedy: 'Retry. If it lasts, `stackgate doctor` tells what is wrong with the storage.',
  },
  'model-not-ready': {
    status: 503,
    wireCode: 'model_not_ready',
    retryAfterSeconds: 10,
    meaning:
      'The engine behind the route is starting, degraded or not part of this installation; or an image lost its place in the queue.',
    remedy: 'Retry after the delay; if it lasts, `stackgate doctor` tells why.',
  },
  'database-away': {
    status: 503,
    retryAfterSeconds: 5,
    meaning:
      'The database cannot be reached, and the key, a limit or what was asked for is not known without it.',
    remedy: 'Retry after the delay. The gateway reconnects by itself.',
  },
  'storage-away': {
    status: 503,
    wireCode: 'storage_away',
    retryAfterSeconds: 5,
    meaning: 'What was asked for is stored, but the disk or the object storage cannot be read.',
    remedy: 'Retry after the delay. If it lasts, `stackgate doctor` tells what is wrong with the storage.',
  },
  'storage-full': {
    status: 503,
    wireCode: 'storage_full',
    retryAfterSeconds: 30,
    meaning: 'The disk has so little room left that nothing more is stored; everything else goes on.',
    remedy: 'Free disk space: less than 256 MiB are left where `data_dir` is.',
  },
  'body-memory-full': {
    status: 503,
    wireCode: 'body_memory_full',
    retryAfterSeconds: 2,
    meaning:
      'The bodies of requests hold as much memory as they may: all of `server.body_memory`, or the quarter of it that one stack may hold.',
    remedy: 'Retry after the delay, send less at a time, or raise `server.body_memory`.',
  },
  'too-many-connections': {
    status: 503,
    retryAfterSeconds: 5,
    meaning: 'There are as many connections as the gateway takes, from this address or in all.',
    remedy:
      'Keep connections and use them again. Raise `server.max_connections_per_address` or `server.max_connections`; name proxies in `server.trust_proxy`.',
  },
  'too-many-new-keys': {
    status: 503,
    retryAfterSeconds: 1,
    meaning: 'More keys that were not seen for a while are being looked up than the gateway takes at a time.',
    remedy: 'Retry after the delay.',
  },
  'too-many-counts': {
    status: 503,
    wireCode: 'too_many_counts',
    retryAfterSeconds: 2,
    meaning:
      'As many prompts wait for a model server to count their tokens as may: 256 of one stack, or 1,024 in all.',
    remedy: 'Retry after the delay, and count fewer prompts at a time.',
  },
  draining: {
    status: 503,
    retryAfterSeconds: 5,
    meaning: 'The gateway is shutting down and finishes what it has.',
    remedy: 'Retry after the delay; another replica or the restarted one answers.',
  },
  'extraction-timeout': {
    status: 504,
    retryAfterSeconds: 5,
    meaning: 'An extraction ran out of its 240 seconds and was stopped; the message says after how many.',
    remedy: 'Send fewer pages at once.',
  },
  'image-queue-timeout': {
    status: 504,
    wireCode: 'queue_timeout',
    retryAfterSeconds: 5,
    meaning: 'The image waited for its turn as long as the plan allows.',
    remedy: 'Retry after the delay, or raise `images.queue_wait_seconds`.',
  },
  'engine-timeout': {
    status: 504,
    wireCode: 'timeout',
    retryAfterSeconds: 5,
    meaning: 'The model server took too long.',
    remedy: 'Retry after the delay, ask for less, or raise `timeout_seconds`.',
  },
} as const satisfies Record<string, FaultRow>;

export type FaultCode = keyof typeof faultTable;

/** Every status in the table; families map each of them. */
export type FaultStatus = (typeof faultTable)[FaultCode]['status'];

/** A row with its optional members visible to TypeScript. */
export function faultRow(code: FaultCode): FaultRow & { readonly status: FaultStatus } {
  return faultTable[code];
}
