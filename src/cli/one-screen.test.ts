import { expect, it } from 'vitest';
import { onOneScreen } from './one-screen.ts';
import { CLEAR_LINE } from './progress-line.ts';

it('puts lines in the place of a line of progress, and only then', () => {
  let screen = '';
  const output = {
    write: (text: string) => {
      screen += text;
    },
    flush: () => {},
    onDropped: () => {},
    linesDropped: 3,
  };
  const { out, err } = onOneScreen(output, output);
  out.write('listening\n');
  err.write('fetching [#.]');
  out.write('ready\n');
  out.write('asked\n');
  err.write('fetching [##]');
  err.write(CLEAR_LINE);
  out.write('answered\n');
  expect(screen).toBe(
    `listening\nfetching [#.]${CLEAR_LINE}ready\nasked\nfetching [##]${CLEAR_LINE}answered\n`,
  );
  expect(out.linesDropped).toBe(3);
});
