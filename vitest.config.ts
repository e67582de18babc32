import { defineConfig } from 'vitest/config';

// For tests that hang. A test that works ends long before, also on a machine that is taken away for most of the time.
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

export default defineConfig({
  test: {
    // Most tests wait for a process or a disk, so two run at once also on two cores.
    maxWorkers: 2,
    globalSetup: ['testing/real-postgres/global-setup.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'testing/**/*.test.ts'],
          globalSetup: ['testing/build-once.ts'],
          ...patience,
        },
      },
      {
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
