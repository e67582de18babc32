import { describe, expect, it } from 'vitest';
import { type ConsoleWorld, KEY, PASSWORD } from './console-world.ts';
import { Keyboard } from './keyboard.ts';

const SETUP_LINK = /http:\/\/\S+\/console\/#setup=\S+/;

/** The ways in and out. */
export function describeDoors(world: () => ConsoleWorld): void {
  describe('the first log-in', () => {
    it('is by the link that the start prints, once', async () => {
      const { page, keys, field, button, gateway, browser } = world();
      const link = SETUP_LINK.exec(gateway.stdout)?.[0] ?? '';
      await page.goto(link);
      await keys.write(field('Name'), 'ada');
      await keys.write(field('Password'), PASSWORD);
      await keys.write(field('Password again'), 'another horse');
      await page.getByText('The two are not the same.').waitFor();
      await world().isGood();
      await keys.write(field('Password again'), PASSWORD);
      await keys.press(button('Set up'));
      await world().heading('Overview').waitFor();
      expect(page.url()).toBe(world().at(''));
      const late = await browser.open();
      await late.goto(link);
      await late.getByLabel('Name').fill('eve');
      await late.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await late.getByLabel('Password again').fill(PASSWORD);
      await late.getByRole('button', { name: 'Set up' }).press('Enter');
      await late.getByRole('alert').waitFor();
      await late.context().close();
      // The refusal is the point.
      expect(browser.complaints.splice(0)).toEqual([expect.stringContaining('403')]);
    });
  });

  describe('a session', () => {
    it('ends with a log-out, and begins again with the password', async () => {
      const { page, keys, field, button } = world();
      await world().visit('', 'Overview');
      await keys.choose(button(/ada/), page.getByRole('menuitem', { name: 'Sign out' }));
      await world().heading('Sign in').waitFor();
      await world().isGood();
      await keys.write(field('Name'), 'ada');
      await keys.write(field('Password'), PASSWORD);
      await keys.press(button('Sign in'));
      await world().heading('Overview').waitFor();
    });

    it('of a pasted key sees its stack, and changes nothing', async () => {
      const guest = await world().browser.open();
      const keys = new Keyboard(guest);
      await guest.goto(world().at(''));
      await keys.pick(guest.getByRole('button', { name: 'API key' }));
      const pasted = guest.getByLabel('API key', { exact: true }).last();
      const signIn = guest.getByRole('button', { name: 'Sign in', exact: true });
      await keys.write(pasted, 'sk-of-another-gateway');
      await keys.press(signIn);
      await guest.getByRole('alert').getByText('No stack has this API key').waitFor();
      await world().isGood(guest);
      // The refusal is the point.
      expect(world().browser.complaints.splice(0)).toEqual([]);
      await keys.write(pasted, KEY);
      await keys.press(signIn);
      await keys.press(guest.getByRole('link', { name: 'Keys' }));
      await guest.getByRole('cell', { name: 'web shop' }).waitFor();
      expect(await guest.getByRole('button', { name: 'New key' }).count()).toBe(0);
      await guest.context().close();
    });
  });
}
