// The noisy tenant, in its own process. It receives its task, reports when it is prepared, starts on command, and reports the
// result.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { findAttack } from './attacks.mjs';
import { Noise } from './noise.mjs';

// The benchmark has ended.
process.once('disconnect', () => process.exit());
const [order] = await once(process, 'message');
const attack = findAttack(order.name);
const noise = new Noise(order);
const prepared = await attack.prepare?.(noise);
process.send('prepared');
const [{ durationMs }] = await once(process, 'message');
noise.begin(durationMs);
const cpuBefore = process.cpuUsage();
const beganMs = performance.now();
// Requests still in flight at the end are abandoned.
const attacking = attack.run(noise, prepared);
await Promise.race([attacking, sleep(durationMs)]);
const { user, system } = process.cpuUsage(cpuBefore);
const cores = (user + system) / 1000 / (performance.now() - beganMs);
process.send({ tally: noise.tally, cores }, () => process.exit());
