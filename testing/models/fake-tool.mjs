// Replaces python3 and npm: copies prepared archives to the requested path, or misbehaves as told.
import { appendFileSync, copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const { FAKE_MODE = 'copy', FAKE_ARCHIVES = '', FAKE_LOG } = process.env;
const args = process.argv.slice(2);
if (FAKE_LOG) appendFileSync(FAKE_LOG, `${JSON.stringify(args)}\n`);

const target = args[Math.max(args.indexOf('--dest'), args.indexOf('--pack-destination')) + 1];

switch (FAKE_MODE) {
  case 'copy': {
    const wanted = args.find((arg) => /[=@]\d/.test(arg)) ?? '';
    const name = wanted
      .replace(/(==|@)\d.*$/, '')
      .replace(/[^a-z]+/g, '-')
      .replace(/^-/, '');
    const archive = FAKE_ARCHIVES.split(':').find((path) => basename(path).startsWith(name)) ?? '';
    copyFileSync(archive, join(target, basename(archive)));
    break;
  }
  case 'fail':
    process.stderr.write(
      'WARNING: a hint\nERROR: No matching distribution found for it\nnotice: new release\n',
    );
    process.exitCode = 1;
    break;
  case 'without-pip':
    process.stderr.write('/usr/bin/python3: No module named pip\n');
    process.exitCode = 1;
    break;
  case 'nothing':
    break;
  case 'hang':
    process.on('SIGTERM', () => {});
    setInterval(() => {}, 1000);
    break;
}
