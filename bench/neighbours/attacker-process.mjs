// The noisy tenant, in a process of its own. It is told what to do, says when it is prepared, begins when told for how long, and says what came of it.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { findAttack } from './attacks.mjs';
import { Noise } from './noise.mjs';

// Nobody measures any more.
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
// What is still on its way when the time is over is left behind.
const attacking = attack.run(noise, prepared);
await Promise.race([attacking, sleep(durationMs)]);
const { user, system } = process.cpuUsage(cpuBefore);
const cores = (user + system) / 1000 / (performance.now() - beganMs);
process.send({ tally: noise.tally, cores }, () => process.exit());
