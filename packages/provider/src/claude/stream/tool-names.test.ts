import { nameTools as kernel } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { nameTools } from './tool-names.js';

const named = (...names: readonly string[]) => nameTools(names.map((name) => ({ name })));

describe('names of tools', () => {
  it('are those that prompts and model APIs have, cut where Claude Code takes no longer one', () => {
    const all = ['a.b', 'a_b', 'a b', 'spawn_node', 'é', `${'x'.repeat(60)}1`, `${'x'.repeat(60)}2`];
    const { toWire } = kernel(all);
    const names = named(...all);
    expect(names.listed.map(({ name }) => name)).toEqual([
      ...all.slice(0, 5).map(toWire),
      'x'.repeat(50),
      `${'x'.repeat(48)}_2`,
    ]);
    expect(names.listed[0]?.name).toBe('a_b');
    expect(names.ofModel('mcp__cuebook__a_b')).toBe('a.b');
  });

  it('tell our tool from the agent’s own of the same name', () => {
    const names = named('Write');
    expect(names.ofModel('Write')).toBeUndefined();
    expect(names.ofModel('mcp__cuebook__Write')).toBe('Write');
    expect(names.ofModel('mcp__other__Write')).toBeUndefined();
  });

  it('are all different, all allowed, and all found again', () => {
    const name = fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.constantFrom('a', 'a.', 'a_', 'a-', 'a_2', 'a__2'),
    );
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 12 }), (all) => {
        const names = named(...all);
        const listed = names.listed.map((tool) => tool.name);
        expect(new Set(listed).size).toBe(all.length);
        expect(
          listed.every((each) => /^[A-Za-z0-9_-]+$/.test(each) && `mcp__cuebook__${each}`.length <= 64),
        ).toBe(true);
        expect(listed.map(names.ofList)).toEqual(all);
        expect(listed.map((each) => names.ofModel(`mcp__cuebook__${each}`))).toEqual(all);
      }),
      runs(200, 10_000),
    );
  });
});
