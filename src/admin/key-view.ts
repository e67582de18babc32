import { limitsByFileNames } from '../config/limit-settings.ts';
import type { KeyRecord } from '../store/key-records.ts';
import { promptNote } from './prompt-note.ts';

/** A key with the key names of the configuration file. */
export function keyView(key: KeyRecord) {
  return {
    stack: key.stackId,
    id: key.id,
    prompt: key.prompt,
    retrieval: key.retrieval,
    knowledge: key.knowledge,
    expires_at: key.expiresAt,
    scopes: key.scopes,
    models: key.allowedModels,
    allowed_ips: key.allowedIps,
    read_only: key.readOnly,
    own_images_only: key.ownImagesOnly,
    limits: limitsByFileNames(key.limits),
    budget: key.budget,
    revoked_at: key.revokedAt,
    disabled_at: key.disabledAt,
    declared: key.declared,
    created_at: key.createdAt,
    secret_set_at: key.secretSetAt,
  };
}

/** A key for the audit, which has no prompt in it. */
export function auditedKey(key: KeyRecord): object {
  const { stack: _stack, id: _id, created_at: _created, prompt, ...view } = keyView(key);
  return { ...view, prompt: promptNote(prompt) };
}

/** Whether a key opens its stack, and if not, why. */
export function keyState(key: KeyRecord): 'active' | 'expired' | 'revoked' | 'disabled' {
  if (key.revokedAt !== null) return 'revoked';
  if (key.disabledAt !== null) return 'disabled';
  return key.expiresAt !== null && key.expiresAt.getTime() <= Date.now() ? 'expired' : 'active';
}
