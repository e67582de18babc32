/** CSS and common office font families, with metric-compatible replacements. */
const aliases: readonly (readonly [family: string, font: string])[] = [
  ...[
    'sans-serif',
    'system-ui',
    'ui-sans-serif',
    'Arial',
    'Helvetica',
    'Helvetica Neue',
    'Liberation Sans',
  ].map((family) => [family, 'Arimo'] as const),
  ...['serif', 'ui-serif', 'Times New Roman', 'Times', 'Liberation Serif', 'Georgia'].map(
    (family) => [family, 'Tinos'] as const,
  ),
  ...['monospace', 'ui-monospace', 'Courier New', 'Courier', 'Liberation Mono', 'Consolas', 'Menlo'].map(
    (family) => [family, 'Cousine'] as const,
  ),
  ...['emoji', 'Apple Color Emoji', 'Segoe UI Emoji'].map((family) => [family, 'Noto Color Emoji'] as const),
  ...['Noto Sans SC', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', 'SimSun'].map(
    (family) => [family, 'Noto Sans S Chinese'] as const,
  ),
  ...['Noto Sans JP', 'Noto Sans CJK JP', 'Hiragino Sans', 'Meiryo', 'MS Gothic'].map(
    (family) => [family, 'Noto Sans Japanese'] as const,
  ),
  ...['Noto Sans KR', 'Noto Sans CJK KR', 'Malgun Gothic'].map(
    (family) => [family, 'Noto Sans Korean'] as const,
  ),
];

/** Han characters look different by language, and the fonts do not declare theirs. */
const languages = [
  ['zh', 'Noto Sans S Chinese'],
  ['ja', 'Noto Sans Japanese'],
  ['ko', 'Noto Sans Korean'],
] as const;

/** A fontconfig file with the fonts of one folder and none of the system's. */
export function fontConfig({ fonts, cache }: { readonly fonts: string; readonly cache: string }): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
<dir>${escaped(fonts)}</dir>
<cachedir>${escaped(cache)}</cachedir>
${languages.map(byLanguage).join('\n')}
${aliases.map(byFamily).join('\n')}
<match target="pattern"><edit name="family" mode="append_last" binding="weak"><string>Arimo</string><string>Noto Sans S Chinese</string></edit></match>
</fontconfig>
`;
}

function byFamily([family, font]: readonly [string, string]): string {
  return `<match target="pattern"><test qual="any" name="family"><string>${family}</string></test><edit name="family" mode="assign" binding="same"><string>${font}</string></edit></match>`;
}

function byLanguage([language, font]: readonly [string, string]): string {
  return `<match target="pattern"><test name="lang" compare="contains"><string>${language}</string></test><edit name="family" mode="append" binding="weak"><string>${font}</string></edit></match>`;
}

function escaped(path: string): string {
  return path.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
