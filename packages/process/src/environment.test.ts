import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { childEnvironment } from './environment.js';

const KEYS = [
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'ANTHROPIC_API_KEY',
  'AWS_SECRET_ACCESS_KEY',
  'GITHUB_TOKEN',
];

describe('the environment of a child', () => {
  it('has what was allowed by name or beginning, and nothing else', () => {
    const parent = {
      PATH: '/bin',
      ANTHROPIC_API_KEY: 'a',
      OPENAI_API_KEY: 'o',
      CODEX_HOME: 'c',
      NOTHING: undefined,
    };
    expect(childEnvironment(parent, ['ANTHROPIC_*'])).toEqual({ PATH: '/bin', ANTHROPIC_API_KEY: 'a' });
    expect(childEnvironment(parent, ['CODEX_HOME'])).toEqual({ PATH: '/bin', CODEX_HOME: 'c' });
    expect(childEnvironment(parent, [])).toEqual({ PATH: '/bin' });
  });

  it('keeps a user’s login, proxy and certificates, in either case of letters', () => {
    const names = [
      'HOME',
      'LC_TIME',
      'https_proxy',
      'HTTPS_PROXY',
      'no_proxy',
      'SSL_CERT_FILE',
      'XDG_CONFIG_HOME',
    ];
    const parent = Object.fromEntries(names.map((name) => [name, name]));
    expect(childEnvironment(parent, [])).toEqual(parent);
  });

  it('never holds a key that nobody allowed, whatever else is there', () => {
    const name = fc.oneof(fc.constantFrom(...KEYS), fc.string({ maxLength: 12 }));
    fc.assert(
      fc.property(fc.dictionary(name, fc.string()), fc.constantFrom(...KEYS), (parent, own) => {
        const found = Object.keys(childEnvironment(parent, [own]));
        expect(KEYS.filter((key) => key !== own && found.includes(key))).toEqual([]);
        expect(found.includes(own)).toBe(Object.keys(parent).includes(own));
      }),
      runs(200, 5000),
    );
  });

  it('sets what it is told to, over the parent’s', () => {
    expect(childEnvironment({ HOME: '/a', X: '1' }, [], { HOME: '/b', X: '2' })).toEqual({
      HOME: '/b',
      X: '2',
    });
  });
});
