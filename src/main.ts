#!/usr/bin/env node
import { openBlobStore } from './blobs/open-blob-store.ts';
import { ModelStore } from './catalogue/model-store.ts';
import { withOperatorDatabase } from './cli/operator-database.ts';
import { runProgram } from './cli/run-program.ts';
import { openServerOutput } from './cli/server-output.ts';
import { loadConfig } from './config/load-config.ts';
import { processEnvironment } from './config/process-environment.ts';

// A reader that closes early, as in `stackgate keys list | head -1`, is not an error.
const endWithReader = () => process.exit(0);
process.stdout.on('error', endWithReader);

process.exitCode = await runProgram(process.argv.slice(2), {
  terminal: {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isWatched: process.stderr.isTTY === true,
    isTerminal: process.stdout.isTTY === true,
  },
  loadConfig: (configFlag) =>
    loadConfig({
      ...(configFlag === undefined ? {} : { configFlag }),
      environment: processEnvironment(),
      workingDirectory: process.cwd(),
    }),
  openOutput: () => {
    // A server continues without a reader.
    process.stdout.off('error', endWithReader);
    return openServerOutput();
  },
  // Most commands need no server, and start twice as fast without its modules.
  openGateway: async (options) => (await import('./gateway.ts')).Gateway.open(options),
  openSearch: async (options) => (await import('./assembly/open-search.ts')).openSearch(options),
  openSearchMove: async (options) => (await import('./assembly/open-search.ts')).openSearchMove(options),
  openModels: ({ dataDir }) => new ModelStore({ dataDir, environment: processEnvironment() }),
  openBlobs: openBlobStore,
  openPdfEngine: async (config) => (await import('./assembly/open-pdf-engine.ts')).openTrialPdfEngine(config),
  withDatabase: withOperatorDatabase,
});
