// Loaded before the program: shifts its time of day by the seconds in a file. Stands in for libfaketime.
import { readFileSync } from 'node:fs';

const READ_EVERY_MS = 200;
const RealDate = Date;
let shiftMs = readShift();
setInterval(() => {
  shiftMs = readShift();
}, READ_EVERY_MS).unref();

function readShift() {
  try {
    return Number(readFileSync(process.env.DRILL_CLOCK, 'utf8')) * 1000;
  } catch {
    return 0;
  }
}

globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + shiftMs] : given));
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
};
