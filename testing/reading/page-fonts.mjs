import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const packages = [
  '@expo-google-fonts/arimo',
  '@expo-google-fonts/tinos',
  '@expo-google-fonts/cousine',
  '@embedpdf/fonts-sc',
];

/** Restricts SVG text to fonts of npm packages, so that pages look the same everywhere; call it before sharp is imported. */
export function usePageFonts(folder) {
  mkdirSync(folder, { recursive: true });
  const folders = packages.map((name) =>
    join(dirname(require.resolve(name)), name.startsWith('@embedpdf') ? '../fonts' : '.'),
  );
  const path = join(folder, 'fonts.conf');
  writeFileSync(
    path,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${folders
      .map((each) => `<dir>${each}</dir>`)
      .join('')}<cachedir>${join(folder, 'cache')}</cachedir></fontconfig>`,
  );
  process.env.FONTCONFIG_FILE = path;
}
