import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.mjs';
import { measured } from './server-process.mjs';

/**
 * Starts nginx as a plain reverse proxy, in one process so that all of its CPU time is counted; `undefined` if it is not
 * installed.
 */
export async function startNginx(upstream) {
  if (spawnSync('nginx', ['-v']).error !== undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-nginx-'));
  const port = await freePort();
  await writeFile(join(folder, 'nginx.conf'), configuration(port, new URL(upstream.url).host, folder));
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answers) return measured(child, url);
  }
}

function configuration(port, upstream, folder) {
  return `daemon off; master_process off; pid ${folder}/nginx.pid;
events { worker_connections 4096; }
http {
  access_log off; client_max_body_size 64m; client_body_buffer_size 1m;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  upstream model { server ${upstream}; keepalive 256; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://model; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; }
  }
}
`;
}
