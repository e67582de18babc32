import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { ConsoleWorld } from './console-world.ts';
import { describeDoors } from './describe-doors.ts';
import { describeOperate } from './describe-operate.ts';
import { describePlayground } from './describe-playground.ts';
import { describeStates } from './describe-states.ts';

// One file, so that one gateway and one browser serve all pages. Everything is done by keyboard alone.
describe('the console', () => {
  let world: ConsoleWorld;

  beforeAll(async () => {
    world = await ConsoleWorld.start();
  });

  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  // Errors of scripts, refused requests and breaches of the policy.
  afterEach(() => {
    expect(world.browser.complaints.splice(0)).toEqual([]);
  });

  describeDoors(() => world);
  describePlayground(() => world);
  describeOperate(() => world);
  describeStates(() => world);
});
