import { describe, expect, it } from 'vitest';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import { catalogueData, DEFAULT_TEXT_MODEL, FALLBACK_OCR_MODEL } from './catalogue-data.ts';

describe('the catalogue', () => {
  it('has unique names that are valid folder names', () => {
    const names = catalogueData.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9.-]*[a-z0-9]$/);
  });

  it('has the models that the configuration names by default', () => {
    const { engines } = parseTestConfig('');
    expect(engines.text.local).toMatchObject({ model: DEFAULT_TEXT_MODEL });
    const kinds = new Map(catalogueData.map(({ name, kind }) => [name, kind]));
    expect(kinds.get(DEFAULT_TEXT_MODEL)).toBe('text');
    expect(kinds.get(engines.ocr.model)).toBe('ocr');
    expect(kinds.get(FALLBACK_OCR_MODEL)).toBe('ocr');
  });

  it.each(catalogueData.map((entry) => [entry.name, entry] as const))(
    'can get %s whole from each source',
    (_name, entry) => {
      const files = entry.files.map(({ name }) => name).sort();
      expect(entry.sources.length).toBeGreaterThan(0);
      for (const source of entry.sources) {
        const given =
          source.kind === 'https' ? source.downloads : source.packages.flatMap(({ members }) => members);
        expect(given.map(({ file }) => file).sort()).toEqual(files);
        // Only a hub announces hashes; files from packages must be pinned here.
        if (source.kind !== 'https') for (const file of entry.files) expect(file).toHaveProperty('sha256');
        if (source.kind === 'https')
          for (const { url } of source.downloads) expect(url).toMatch(/^https:\/\//);
      }
    },
  );

  it.each(catalogueData.map((entry) => [entry.name, entry] as const))(
    'says of %s what its engine must know',
    (_name, entry) => {
      expect(entry.text === undefined).toBe(entry.kind !== 'text');
      for (const file of entry.files) {
        if ('sha256' in file) expect(file.sha256).toMatch(/^[0-9a-f]{64}$/);
        // Models that were tried are pinned.
        else expect(entry.tried).toBe(false);
      }
    },
  );

  it('offers larger text models of several families with tool templates', () => {
    const larger = catalogueData.filter(({ text }) => text !== undefined && text.parametersBillion >= 0.5);
    expect(larger.length).toBeGreaterThanOrEqual(5);
    const withTools = larger.filter(({ text }) => text?.hasToolTemplate === true);
    expect(new Set(withTools.map(({ name }) => name.split(/[-\d]/)[0])).size).toBeGreaterThanOrEqual(3);
  });
});
