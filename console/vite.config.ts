import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { fakeApi } from './testing/fake-api.ts';

/** Baseline of 2024: `light-dark()` and all of CSS nesting are kept as they are written. */
const BROWSERS = ['chrome123', 'firefox121', 'safari17.5'];
/** As the gateway serves the console. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; font-src 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), tailwind(), inventedData(mode === 'empty')],
  build: {
    outDir: '../dist/console',
    target: BROWSERS,
    cssTarget: BROWSERS,
    emptyOutDir: true,
    // Of the libraries that are inside the built files.
    license: { fileName: 'licences.md' },
    // The policy of the console forbids data: fonts and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  preview: { headers: { 'content-security-policy': POLICY } },
}));

/** `npx vite console` and `npx vite preview console` need no gateway; with `--mode empty` it is one that was never used. */
function inventedData(empty: boolean): Plugin {
  return {
    name: 'invented-data',
    configureServer: (server) => void server.middlewares.use(fakeApi(empty)),
    configurePreviewServer: (server) => void server.middlewares.use(fakeApi(empty)),
  };
}
