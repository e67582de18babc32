import { defineConfig } from 'vitest/config';

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
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['testing/build-once.ts'],
          testTimeout: 240_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
