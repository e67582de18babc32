import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { accessProblems, overflow, SIZES } from './console-browser.ts';
import type { ConsoleWorld } from './console-world.ts';

const LISTS =
  /\/console\/api\/(keys|stacks|images|knowledge|audit|requests|captures)\?|\/console\/api\/captures$/;
const ALL_BUT_SESSION = /\/console\/api\/(?!session)/;
const LONGEST_PAUSE_MS = 2000;
const AWAY = 'The gateway cannot reach its database at the moment.';

const EMPTY = [
  ['stacks', 'Stacks', 'There is no stack yet'],
  ['keys', 'Keys', 'There is no key yet'],
  ['usage#days=other&since=2020-01-01&until=2020-01-02', 'Usage', 'Nothing was used in these days'],
  ['audit', 'Audit', 'Nothing was changed yet'],
  ['playground/images#stack=shop', 'Images', 'No images yet'],
  ['playground/knowledge#stack=shop', 'Knowledge', 'No documents yet'],
] as const;
const FAILING = [
  ['', 'Overview'],
  ['stacks', 'Stacks'],
  ['stacks/shop', 'shop'],
  ['keys', 'Keys'],
  ['usage', 'Usage'],
  ['requests', 'Requests'],
  ['audit', 'Audit'],
  ['playground/chat#stack=shop', 'Chat'],
  ['playground/images#stack=shop', 'Images'],
  ['playground/knowledge#stack=shop', 'Knowledge'],
  ['playground/schemas#stack=shop', 'Schemas'],
] as const;

/** Pages with nothing to show, and pages whose gateway fails, on a phone. */
export function describeStates(world: () => ConsoleWorld): void {
  describe('on a phone', () => {
    afterEach(async () => {
      const { page, browser } = world();
      // It asks no more, so that nothing is complained of later.
      await page.goto('about:blank');
      await page.unrouteAll();
      await page.setViewportSize(SIZES.wide);
      // The browser tells of each refusal, which is the point here.
      const complaints = browser.complaints.splice(0);
      expect(complaints.filter((complaint) => !complaint.includes('status of 503'))).toEqual([]);
    });

    it.each(EMPTY)('%s with nothing in it says so', async (path, heading, words) => {
      const { page } = world();
      await page.route(LISTS, (route) => route.fulfill({ json: { data: [], next_cursor: null } }));
      await page.setViewportSize(SIZES.phone);
      await world().visit(path, heading);
      await page.getByText(words).first().waitFor();
      expect(await problemsOf(page)).toEqual([]);
    });

    it.each(FAILING)('%s tells of a failure in the words of the gateway', async (path, heading) => {
      const { page } = world();
      const json = { detail: AWAY, code: 'database-away' };
      await page.route(ALL_BUT_SESSION, (route) => route.fulfill({ status: 503, json }));
      await page.setViewportSize(SIZES.phone);
      await page.clock.install();
      await world().visit(path, heading);
      const alert = page.getByRole('alert').filter({ hasText: AWAY });
      // The page asks twice more before it gives up, after pauses.
      await expect
        .poll(() => page.clock.runFor(LONGEST_PAUSE_MS).then(() => alert.count()))
        .toBeGreaterThan(0);
      expect(await problemsOf(page)).toEqual([]);
    });
  });
}

async function problemsOf(page: Page): Promise<readonly string[]> {
  return [...(await accessProblems(page)), ...(await overflow(page))];
}
