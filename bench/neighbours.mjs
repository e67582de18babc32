// How a noisy tenant affects a quiet one. `--attack NAME` runs one attack, or all whose name starts so; `--engines
// upstream|embedded` only those on such engines; `--seconds N` sets the duration of each. Loopback only, and every attack ends
// by itself.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { attacks } from './neighbours/attacks.mjs';
import { openQuietTenant } from './neighbours/quiet-tenant.mjs';
import { startHelper } from './neighbours/start-helper.mjs';
import { printTables } from './neighbours/table.mjs';
import { watch } from './neighbours/watch.mjs';
import { fetchModels, KEYS, MODELS, openWorld, takesStorageQuota } from './neighbours/world.mjs';

const attackerScript = fileURLToPath(new URL('./neighbours/attacker-process.mjs', import.meta.url));
// Long enough that one slow request does not decide the p95 of most kinds; on embedded engines it still does for images.
const FULL = { aloneMs: 10_000, attackMs: 40_000 };
const QUICK = { aloneMs: 3_000, attackMs: 5_000 };
// At the normal pace, so that children that start when two requests overlap are started too.
const WARM_UP_MS = 3_000;
// In reality the noisy tenant has its own machine, so it gets the lowest priority.
const ATTACKER_NICENESS = 19;

/** A quiet and a noisy tenant on one gateway: latency, refusals, memory and health, alone and under each attack. */
export async function run({ quick }) {
  const options = readOptions(quick);
  const models = await fetchModels();
  const has = { ...models, quota: await takesStorageQuota() };
  const reached = [];
  for (const engines of options.engines) {
    if (engines === 'embedded' && models.text === undefined) {
      console.log('neighbours: embedded engines are left out, their model cannot be had');
      continue;
    }
    const chosen = options.attacks.filter((attack) => attack.engines.includes(engines));
    const possible = chosen.filter(({ name, needs }) => isPossible(name, needs, has));
    if (possible.length === 0) continue;
    const rounds = [];
    for (const attack of possible)
      rounds.push(await attackOnce(attack, { engines, models: Object.values(models), ...options.times }));
    console.log(`\n### On ${engines === 'upstream' ? 'model servers of others' : 'the embedded engines'}`);
    printTables(rounds);
    reached.push(...possible);
  }
  if (reached.length === 0) return { isSkipped: true };
  console.log(`\nThe attacks, each for ${options.times.attackMs / 1000} s:\n`);
  for (const { name, what } of new Set(reached)) console.log(`- ${name}: ${what}`);
  // A single attack or kind of engine is not a complete table.
  return { isSkipped: options.isPart };
}

function readOptions(quick) {
  const { values } = parseArgs({
    strict: false,
    options: { attack: { type: 'string' }, engines: { type: 'string' }, seconds: { type: 'string' } },
  });
  const wanted = attacks.filter(({ name }) => name.startsWith(values.attack ?? ''));
  if (wanted.length === 0)
    throw new Error(`no attack ${values.attack}; there are: ${attacks.map(({ name }) => name).join(', ')}`);
  const kinds = ['upstream', 'embedded'];
  if (values.engines !== undefined && !kinds.includes(values.engines))
    throw new Error(`--engines must be one of ${kinds.join(', ')}, got ${values.engines}`);
  const times = quick ? QUICK : FULL;
  const attackMs = values.seconds === undefined ? times.attackMs : Number(values.seconds) * 1000;
  if (!(attackMs > 0 && attackMs <= 600_000)) throw new Error('--seconds must be a number from 1 to 600');
  return {
    attacks: wanted,
    engines: values.engines === undefined ? kinds : [values.engines],
    times: { ...times, attackMs },
    isPart: [values.attack, values.engines, values.seconds].some((value) => value !== undefined),
  };
}

function isPossible(name, need, has) {
  if (need === undefined || has[need]) return true;
  const why = need === 'quota' ? 'this build has no limits.storage_bytes' : `there is no ${need} model`;
  console.log(`neighbours: ${name} is left out, ${why}`);
  return false;
}

/** A new gateway for each attack, so that its memory is due to this attack alone. */
async function attackOnce(attack, { engines, models, aloneMs, attackMs }) {
  const world = await openWorld({ engines, models, hasStorageQuota: attack.needs === 'quota' });
  const { gateway } = world;
  const attacker = startHelper(attackerScript, { niceness: ATTACKER_NICENESS });
  const model = MODELS[engines];
  const quiet = await openQuietTenant({ url: gateway.url, key: KEYS.quiet, model, engines });
  try {
    await quiet.untilServed();
    await attacker.ask({ name: attack.name, url: gateway.url, model, keys: KEYS });
    await quiet.run(WARM_UP_MS);
    const alone = await measure(gateway, () => quiet.run(aloneMs));
    const attacking = attacker.ask({ durationMs: attackMs });
    const attacked = await measure(gateway, () => quiet.run(attackMs));
    const { tally, cores: attackerCores } = await attacking;
    const templates = await world.templatesUpstream();
    console.error(`${attack.name} (${engines}): ${JSON.stringify(tally)}`);
    return { name: attack.name, alone, attacked: { ...attacked, tally, attackerCores, templates } };
  } finally {
    quiet.close();
    await attacker.stop();
    await world.close();
  }
}

async function measure(gateway, work) {
  const stopWatching = watch(gateway);
  const answers = await work();
  return { answers, peak: await stopWatching() };
}
