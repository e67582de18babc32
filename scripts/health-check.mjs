// The health check of the image: ends with 0 if the gateway answers on its port, by HTTP or, with `server.tls`, by TLS.
import { request as openRequest } from 'node:http';
import { request as openSecureRequest } from 'node:https';

const TIMEOUT_MS = 2_000;

await ask(openRequest)
  .catch(() => ask(openSecureRequest))
  .catch(() => process.exit(1));

function ask(open) {
  return new Promise((resolve, reject) => {
    const asked = open(
      {
        host: '127.0.0.1',
        port: process.env.STACKGATE_PORT,
        path: '/healthz',
        // The certificate is for the name that clients know.
        rejectUnauthorized: false,
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
      (answer) => {
        answer.resume();
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`status ${answer.statusCode}`));
      },
    );
    asked.on('error', reject).end();
  });
}
