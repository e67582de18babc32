/** A request with a JSON body. */
export function json(path, value) {
  return {
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  };
}

/** A request with a form; a field is a text, or a file as its name and bytes. */
export function form(path, fields) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([value[1]]), value[0]);
  }
  return { path, method: 'POST', body };
}
