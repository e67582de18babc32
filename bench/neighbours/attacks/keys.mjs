const CONNECTIONS = 1_500;
const PAUSE_MS = 200;

/** Unknown keys. */
export const keysAttacks = [
  {
    name: 'keys',
    what: `${CONNECTIONS} connections that try one wrong key after the other`,
    engines: ['upstream'],
    run: (noise) => noise.keepAsking(CONNECTIONS, tryWrongKey, { pauseMs: PAUSE_MS }),
  },
];

function tryWrongKey(number) {
  const headers = { authorization: `Bearer wrong-key-${number}-0123456789abcdef` };
  return { path: '/v1/models', method: 'GET', headers };
}
