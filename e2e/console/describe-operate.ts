import type { Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type ConsoleWorld, KEY } from './console-world.ts';

const A_MINUTE_MS = 60_000;

/** One journey for each page of operators. */
export function describeOperate(world: () => ConsoleWorld): void {
  describe('stacks and keys', () => {
    it('are made in the console; a secret is shown once, and works', async () => {
      const { page, keys, field, button, gateway } = world();
      await world().visit('stacks', 'Stacks');
      await world().isGood();
      await keys.press(button('New stack'));
      await keys.write(field('Id'), 'research');
      await world().isGood();
      await keys.press(button('Create stack'));
      await world().heading('research').waitFor();
      await keys.press(button('New key'));
      await keys.write(field('Id'), 'notebook');
      await keys.write(field('Requests per minute'), '30');
      await world().isGood();
      await keys.press(button('Create key'));
      await page.getByText('Copy it now.').waitFor();
      await world().isGood();
      const secret = await page.locator('code').first().textContent();
      expect(await gateway.statusFor(secret ?? '')).toBe(200);
      await keys.press(button('I have copied it'));
      await page.getByRole('cell', { name: 'notebook', exact: true }).waitFor();
      expect(await page.content()).not.toContain(secret);
    });

    it('are changed, and revoked after a question', async () => {
      const { page, keys, field, button, text } = world();
      await world().visit('stacks/research', 'research');
      await keys.press(button('Edit'));
      await keys.write(field('System prompt'), 'You are kind.');
      await keys.write(field('Tokens per day'), '5000');
      await world().isGood();
      await keys.press(button('Save'));
      await text('You are kind.').waitFor();
      await text('0 of 5,000').waitFor();
      await keys.press(button('Actions for research/notebook'));
      await page.getByRole('menu').waitFor();
      await world().isGood();
      await page.keyboard.press('Escape');
      await keys.choose(
        button('Actions for research/notebook'),
        page.getByRole('menuitem', { name: 'Revoke' }),
      );
      await keys.press(button('Revoke key'));
      await page.getByRole('cell', { name: 'revoked' }).waitFor();
    });

    it('are not changed over what someone else has changed meanwhile', async () => {
      const { page, keys, field, button, text, browser } = world();
      await world().visit('stacks/research', 'research');
      await keys.press(button('Edit'));
      await keys.write(field('System prompt'), 'You are brief.');
      await world().send('PATCH', '/stacks/research', { plan: 'max' });
      // The page reads the new state when the window gets the focus; it must not lend the old form its name.
      const read = page.waitForResponse(/\/stacks\/research\?include/);
      await page.clock.setSystemTime(Date.now() + A_MINUTE_MS);
      await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      await read;
      await keys.press(button('Save'));
      await page.getByRole('alert').getByText('Someone else has changed it meanwhile').waitFor();
      await world().isGood();
      await keys.press(button('Load it again'));
      await expect.poll(() => page.getByRole('combobox', { name: 'Plan' }).textContent()).toBe('Max');
      await keys.write(field('System prompt'), 'You are brief.');
      await keys.press(button('Save'));
      await text('You are brief.').waitFor();
      // The refusal is the point.
      expect(browser.complaints.splice(0)).toEqual([expect.stringContaining('412')]);
    });

    it('are disabled after a question, and enabled again', async () => {
      const { page, keys, button } = world();
      await world().visit('stacks/research', 'research');
      await keys.press(button('Disable'));
      await world().isGood();
      await keys.press(button('Disable stack'));
      await page.getByText('This stack is disabled').waitFor();
      await world().isGood();
      await keys.press(button('Enable'));
      await button('Edit').waitFor();
      expect(await page.getByText('This stack is disabled').count()).toBe(0);
    });

    it('that the file declares say so, and offer nothing to change', async () => {
      const { page, keys, button } = world();
      await world().visit('stacks', 'Stacks');
      await keys.press(page.getByRole('link', { name: 'shop', exact: true }));
      await page.getByRole('status').getByText('configuration file').waitFor();
      expect(await button('Edit').count()).toBe(0);
      await world().isGood();
    });

    it('are found by their names; a dialog gives the focus back', async () => {
      const { page, keys, field, button } = world();
      await world().visit('', 'Overview');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
      await keys.press(page.getByRole('link', { name: 'Keys' }));
      await world().heading('Keys').waitFor();
      await keys.write(field('Find a key'), 'note');
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      await world().isGood();
      await keys.press(button('New key'));
      await keys.press(page.getByRole('dialog').getByRole('combobox', { name: 'Stack' }));
      await page.getByRole('listbox', { name: 'Stack' }).waitFor();
      await world().isGood();
      await page.keyboard.press('Escape');
      await page.getByRole('listbox').waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('New key');
    });
  });

  describe('requests', () => {
    it('appear as they end; bodies of one key are captured by an explicit choice, and all are told', async () => {
      const { page, keys, button, gateway, upstream } = world();
      await world().visit('requests#stack=shop', 'Requests');
      await page.getByText('live', { exact: true }).waitFor();
      await gateway.request('/v1/models/nothing', { key: KEY });
      await page.getByRole('cell', { name: '404' }).first().waitFor();
      await keys.press(button('Capture bodies'));
      await keys.choose(
        page.getByRole('combobox', { name: 'Key' }),
        page.getByRole('option', { name: /^web/ }),
      );
      await world().isGood();
      await keys.press(button('Begin'));
      await page.getByText('are captured by ada').waitFor();
      upstream.respond({ text: 'Quite so.' });
      const body = JSON.stringify({ model: 'qwen3-32b', messages: [{ role: 'user', content: 'Is it so?' }] });
      const headers = { 'content-type': 'application/json' };
      await gateway.request('/v1/chat/completions', { method: 'POST', key: KEY, headers, body });
      await keys.press(button('Show'));
      await page.getByRole('dialog').getByText('POST /v1/chat/completions').waitFor();
      await keys.press(page.getByRole('dialog').locator('summary'));
      await page.getByText('Is it so?').waitFor();
      await page.getByText('Quite so.').waitFor();
      await world().isGood();
      await page.keyboard.press('Escape');
      await keys.press(button('Stop'));
      await page.getByText('are captured by ada').waitFor({ state: 'detached' });
      await world().isGood();
      await world().picture('requests');
    });
  });

  describe('a page', () => {
    it.each([
      ['', 'Overview', ['overview', 'stacks']],
      ['stacks', 'Stacks', ['stacks']],
      ['stacks/research', 'research', ['stacks/research']],
      ['keys', 'Keys', ['keys', 'stacks']],
      ['usage', 'Usage', ['stacks', 'usage']],
      ['requests', 'Requests', ['captures', 'requests', 'requests', 'stacks']],
      ['audit', 'Audit', ['audit']],
    ] as const)('%s asks once for what it shows', async (path, heading, expected) => {
      const { page } = world();
      await page.goto('about:blank');
      const asked: string[] = [];
      const note = (request: Request) => {
        const name = /\/console\/api\/([^?]+)/.exec(request.url())?.[1] ?? 'session';
        if (name !== 'session') asked.push(name);
      };
      page.on('request', note);
      await world().visit(path, heading);
      await expect.poll(() => asked.toSorted()).toEqual(expected);
      await expect.poll(() => page.getByRole('status', { name: /^(Loading|Drawing)/ }).count()).toBe(0);
      await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
      page.off('request', note);
      expect(asked.toSorted()).toEqual(expected);
    });
  });

  describe('what happened', () => {
    it('is in the audit, with before and after', async () => {
      const { page, keys, field } = world();
      await world().visit('audit', 'Audit');
      await world().isGood();
      await keys.write(field('Action, in full'), 'key.revoke');
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      await keys.press(page.getByRole('button', { name: /^Details/ }));
      await page.getByRole('dialog').getByText('by ada').waitFor();
      await world().isGood();
    });

    it('is summed up by day, and by key', async () => {
      const { page, keys, button } = world();
      await world().visit('usage', 'Usage');
      await keys.pick(button('Key'));
      await page.getByRole('cell', { name: /shop\/console/ }).waitFor();
      await keys.pick(button('Tokens'));
      await page.getByRole('img', { name: /tokens by day/ }).waitFor();
      await world().isGood();
    });

    it('is on one page, with what runs now', async () => {
      const { page, keys, button } = world();
      await world().visit('', 'Overview');
      await page.getByRole('img', { name: /Requests by day/ }).waitFor();
      await world().isGood();
      await world().picture('overview');
      await keys.pick(button('Tokens'));
      await page.getByRole('img', { name: /Tokens by day/ }).waitFor();
    });
  });
}
