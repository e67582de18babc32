/** The key under which the use of the playground is counted. It has no secret, so nothing else can use it. */
export const PLAYGROUND_KEY = 'console';
