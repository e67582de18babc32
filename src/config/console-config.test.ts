import { describe, expect, it } from 'vitest';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import { isConsoleOn } from './is-console-on.ts';

const oidc = 'issuer: https://login.example.com/, client_id: gate, client_secret: hush';

describe('the console', () => {
  it.each([
    ['{}', true],
    ['{ host: localhost }', true],
    ['{ host: "::1" }', true],
    ['{ host: 127.0.0.9 }', true],
    ['{ host: 0.0.0.0 }', false],
    ['{ host: 127.example.com }', false],
    ['{ host: 0.0.0.0, public_url: "http://ai.example.com" }', false],
    ['{ host: 0.0.0.0, public_url: "https://ai.example.com" }', true],
    ['{ host: 0.0.0.0, tls: { certificate: a.pem, key: b.pem } }', true],
  ])('is on by itself where its passwords cannot be read on the way: %s', (server, isOn) => {
    expect(isConsoleOn(parseTestConfig(`server: ${server}`))).toBe(isOn);
    expect(isConsoleOn(parseTestConfig(`server: ${server}\nconsole: { enabled: true }`))).toBe(true);
    expect(isConsoleOn(parseTestConfig(`server: ${server}\nconsole: { enabled: false }`))).toBe(false);
  });

  it('takes a provider of OpenID Connect, with values that give roles', () => {
    const roles = '{ claim: a.groups, operator: ops, read_only: [a, b], member: { Shop_Team: shop } }';
    const { console } = parseTestConfig(`console: { oidc: { ${oidc}, roles: ${roles} } }`);
    expect(console.oidc?.clientSecret?.reveal()).toBe('hush');
    expect(console).toMatchObject({
      enabled: 'auto',
      oidc: {
        issuer: 'https://login.example.com',
        clientId: 'gate',
        roles: { claim: 'a.groups', operator: ['ops'], readOnly: ['a', 'b'], member: { Shop_Team: 'shop' } },
      },
    });
  });

  it.each([
    ['http://login.example.com', false],
    ['http://127.0.0.1:9000', true],
    ['http://localhost/realm', true],
    ['https://user:pw@login.example.com', false],
    ['https://login.example.com/?x=1', false],
    ['ftp://login.example.com', false],
  ])('takes the issuer %s: %s', (issuer, isTaken) => {
    const parse = () =>
      parseTestConfig(
        `console: { oidc: { issuer: "${issuer}", client_id: gate, roles: { claim: groups } } }`,
      );
    if (isTaken) expect(parse().console.oidc?.issuer).toBe(issuer);
    else expect(parse).toThrow('console.oidc.issuer: expected a URL that begins with https://');
  });
});
