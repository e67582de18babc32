export interface AuditChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** The members that differ between two states of a thing, one level of objects deep; `–` where there was none. */
export function changesBetween(before: unknown, after: unknown): readonly AuditChange[] {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  return names.flatMap((name) => {
    const change = { name, before: old.get(name) ?? '–', after: now.get(name) ?? '–' };
    return change.before === change.after ? [] : [change];
  });
}

function leavesOf(value: unknown, prefix = ''): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (value !== null && value !== undefined) leaves.set(prefix || 'value', JSON.stringify(value));
    return leaves;
  }
  for (const [name, member] of Object.entries(value)) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (typeof member === 'object' && member !== null && !Array.isArray(member)) {
      for (const [inner, text] of leavesOf(member, path)) leaves.set(inner, text);
    } else if (member !== undefined) leaves.set(path, JSON.stringify(member));
  }
  return leaves;
}
