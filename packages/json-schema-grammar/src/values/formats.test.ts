import { describe, expect, it } from 'vitest';
import { createAjv } from '../validate-schema.ts';
import { FORMAT_PATTERNS } from './formats.ts';
import { PatternLibrary } from './pattern-library.ts';

const library = new PatternLibrary();
const matches = (format: string, text: string) => library.matches(FORMAT_PATTERNS.get(format) ?? '', text);

/** For each format, valid texts and nearly valid ones. */
const samples: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  date: [
    ['2024-02-29', '2000-02-29', '1999-12-31', '2023-04-30'],
    ['2023-02-29', '1900-02-29', '2023-04-31', '2023-13-01', '2023-00-10', '2023-1-1', '02023-01-01'],
  ],
  time: [
    ['23:59:59Z', '00:00:00+23:59', '12:30:00.123456789-01:00'],
    ['24:00:00Z', '12:60:00Z', '12:00:60', '12:00:00', '12:00Z', '12:00:00+24:00'],
  ],
  'date-time': [['2024-02-29T12:00:00Z'], ['2024-02-29', '2023-02-29T12:00:00Z', '2024-02-29 at 12:00:00Z']],
  duration: [
    ['P1Y2M3DT4H5M6S', 'P1W', 'PT0S', 'P3M'],
    ['P', 'PT', 'P1YT', 'P1D1Y', '1Y', 'P1W1D'],
  ],
  email: [
    ["o'brien+tag@mail.example.org", 'a@b.c'],
    ['a@', '@b.c', 'a b@c.d', 'a..b@c.d', '.a@b.c', 'a@-b.c'],
  ],
  hostname: [
    ['example', 'xn--bcher-kva.example', 'a-b.c'],
    ['-a', 'a-', 'a..b', '', 'a_b', `${'a'.repeat(64)}.b`],
  ],
  ipv4: [
    ['0.0.0.0', '255.255.255.255', '10.1.20.200'],
    ['256.0.0.1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.4 '],
  ],
  ipv6: [
    ['::', '::1', '2001:db8::8a2e:370:7334', '1:2:3:4:5:6:7:8', 'fe80::'],
    [':', '1::2::3', '1:2:3:4:5:6:7', '12345::', '1:2:3:4:5:6:7:8:9', ':::'],
  ],
  uuid: [
    ['123e4567-e89b-12d3-a456-426614174000'],
    ['123e4567e89b12d3a456426614174000', '123e4567-e89b-12d3-a456-42661417400g'],
  ],
  uri: [
    ['https://user@example.org:8080/a/b?c=d#e', 'urn:isbn:0451450523', 'mailto:a@b.c', 'http://a/%20'],
    ['/relative', 'example.org', 'http://a b', 'http://a/%2', '1http://a'],
  ],
  'uri-reference': [
    ['', '/a/b?c#d', '../up', '#only', 'https://example.org'],
    ['http://a b', '%2'],
  ],
  'json-pointer': [
    ['', '/', '/a~0b/c~1d/0'],
    ['a', '/a~', '/a~2'],
  ],
  'relative-json-pointer': [
    ['0', '1/a', '2#', '0/~0'],
    ['/a', '01', '-1', '1~'],
  ],
};

describe('the pattern of a format', () => {
  it('has samples here, unless it equals that of another format', () => {
    const known = new Set(Object.keys(samples).map((format) => FORMAT_PATTERNS.get(format)));
    expect([...FORMAT_PATTERNS].filter(([, pattern]) => !known.has(pattern))).toEqual([]);
  });

  it.each(Object.entries(samples))(
    '%s accepts the valid and rejects the nearly valid texts',
    (format, [sound, close]) => {
      expect(sound.filter((text) => !matches(format, text))).toEqual([]);
      expect(close.filter((text) => matches(format, text))).toEqual([]);
    },
  );

  const ajv = createAjv('2020-12');
  it.each(Object.entries(samples))(
    '%s accepts only texts that the validator accepts',
    (format, [sound, close]) => {
      const validate = ajv.compile({ type: 'string', format });
      const allowed = [...sound, ...close].filter((text) => matches(format, text));
      expect(allowed.filter((text) => !validate(text))).toEqual([]);
    },
  );
});
