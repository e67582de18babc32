import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// For tests that hang. A test that works ends long before, also on a machine that is taken away for most of the time.
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

// The packages of this repository are tested as they are written, not as they were built.
const sources = fileURLToPath(new URL('./packages/', import.meta.url));
const resolve = { alias: [{ find: /^@stackgate\/([\w-]+)$/, replacement: `${sources}$1/src/index.ts` }] };

export default defineConfig({
  test: {
    // Most tests wait for a process or a disk, so two run at once also on two cores.
    maxWorkers: 2,
    globalSetup: ['testing/real-postgres/global-setup.ts'],
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'packages/**/*.test.ts', 'testing/**/*.test.ts'],
          globalSetup: ['testing/build-once.ts'],
          ...patience,
        },
      },
      {
        resolve,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['testing/build-once.ts'],
          ...patience,
        },
      },
    ],
  },
});
