import { join } from 'node:path';
import { packageFolder } from './packaged-files.ts';

const styles = ['400Regular', '400Regular_Italic', '700Bold', '700Bold_Italic'];
const mediumStyles = ['500Medium', '500Medium_Italic', '600SemiBold', '600SemiBold_Italic'];

/** The packaged fonts, so that documents look the same on every machine. */
export function fontFiles(): readonly string[] {
  return [
    ...google('arimo', 'Arimo', [...styles, ...mediumStyles]),
    ...google('tinos', 'Tinos', styles),
    ...google('cousine', 'Cousine', styles),
    ...google('noto-color-emoji', 'NotoColorEmoji', ['400Regular']),
    ...noto('sc', 'NotoSansHans', 'otf'),
    ...noto('jp', 'NotoSansJP', 'otf'),
    ...noto('kr', 'NotoSansKR', 'otf'),
    ...noto('arabic', 'NotoNaskhArabic', 'ttf'),
    ...noto('hebrew', 'NotoSansHebrew', 'ttf'),
  ];
}

function google(name: string, family: string, ofStyles: readonly string[]): readonly string[] {
  const folder = packageFolder(`@expo-google-fonts/${name}`);
  return ofStyles.map((style) => join(folder, style, `${family}_${style}.ttf`));
}

function noto(name: string, family: string, extension: string): readonly string[] {
  const folder = packageFolder(`@embedpdf/fonts-${name}`);
  return ['Regular', 'Bold'].map((style) => join(folder, 'fonts', `${family}-${style}.${extension}`));
}
