import { request } from 'node:http';

const KEPT_CHARACTERS = 200;

/** Sends one request. Returns the status, 0 if no complete answer came in time, and the end of the answer. */
export function ask(url, { path, method = 'POST', headers, body, agent, timeoutMs }) {
  return new Promise((resolve) => {
    let end = '';
    const question = request(url + path, { method, headers, agent });
    const bound = setTimeout(() => question.destroy(), timeoutMs);
    const settle = (status) => {
      clearTimeout(bound);
      resolve({ status, end });
    };
    question.on('error', () => settle(0));
    question.on('close', () => settle(0));
    question.on('response', (answer) => {
      answer.setEncoding('latin1');
      answer.on('error', () => settle(0));
      answer.on('data', (text) => {
        end = (end + text).slice(-KEPT_CHARACTERS);
      });
      answer.on('end', () => settle(answer.complete ? answer.statusCode : 0));
    });
    question.end(body);
  });
}

/** Headers and body of a JSON request. */
export function jsonRequest(path, value, key) {
  return withBody(path, key, 'application/json', Buffer.from(JSON.stringify(value)));
}

/** Headers and body of a form; a file is given by name and bytes. */
export async function formRequest(path, fields, key) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([value[1]]), value[0]);
  }
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type');
  return withBody(path, key, type, Buffer.from(await encoded.arrayBuffer()));
}

function withBody(path, key, type, body) {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': type,
    'content-length': body.length,
  };
  return { path, headers, body };
}
