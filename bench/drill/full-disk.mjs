// Loaded before the program: while a file is there, nothing can be written to other files. Stands in for a disk that is full.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const LAST_STANDARD_STREAM = 2;
const { existsSync } = fs;
const isFull = () => existsSync(process.env.DRILL_FULL_DISK ?? '');
const noRoom = () =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 });
const isRead = (flags) => flags === undefined || flags === 'r' || flags === 0;

replace(fs, 'writeSync', (file) => file > LAST_STANDARD_STREAM);
replace(fs, 'writeFileSync', () => true);
replace(fs, 'openSync', (_path, flags) => !isRead(flags));
replace(fs.promises, 'writeFile', () => true);
replace(fs.promises, 'open', (_path, flags) => !isRead(flags));
replace(fs.promises, 'mkdir', () => true);
syncBuiltinESMExports();

function replace(home, name, writes) {
  const real = home[name];
  const isAsync = home === fs.promises;
  home[name] = (...given) => {
    if (!writes(...given) || !isFull()) return real.apply(home, given);
    if (isAsync) return Promise.reject(noRoom());
    throw noRoom();
  };
}
