import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { namesFiles } from './headless.js';
import { acpModes, trustArguments } from './settings.js';

describe('words that headless mode would take for files', () => {
  it.each(['@a', 'see @src/x.ts', 'a@b.example', '@"a b"', '@.env', '(@x)', '@@', '@\\ '])('%s', (text) => {
    expect(namesFiles(text)).toBe(true);
  });
  it.each(['', 'none', 'at @ the end', 'a @, b', '\\@escaped', '@.', '@. '])('not: %s', (text) => {
    expect(namesFiles(text)).toBe(false);
  });

  it('are found wherever they stand', () => {
    const around = fc.string().filter((text) => !text.includes('@'));
    fc.assert(
      fc.property(around, around, (before, after) => {
        expect(namesFiles(`${before} @x${after}`)).toBe(true);
        expect(namesFiles(before + after)).toBe(false);
      }),
      runs(200, 10_000),
    );
  });
});

describe('the settings of Gemini CLI', () => {
  it('trust a folder only where commands may be run, or when told', () => {
    expect(trustArguments({}, {})).toEqual([]);
    expect(trustArguments({}, { access: 'plan' })).toEqual([]);
    expect(trustArguments({}, { access: 'edit' })).toEqual([]);
    expect(trustArguments({}, { access: 'full' })).toEqual(['--skip-trust']);
    expect(trustArguments({ trust: false }, { access: 'full' })).toEqual([]);
    expect(trustArguments({ trust: true }, { access: 'plan' })).toEqual(['--skip-trust']);
  });

  it('plan whether or not somebody is asked', () => {
    expect([acpModes(true).plan, acpModes(false).plan]).toEqual(['plan', 'plan']);
    expect(acpModes(true).full).toBe('default');
  });
});
