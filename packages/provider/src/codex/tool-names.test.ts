import { nameTools as kernel } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { nameTools } from './tool-names.js';

const named = (...names: string[]) => nameTools(names.map((name) => ({ name })));

describe('names that Codex takes', () => {
  it.each([
    ['spawn_node', 'spawn_node'],
    ['spawn.node', 'spawn_node'],
    ['apply_patch', 'cuebook_apply_patch'],
    ['view_image', 'cuebook_view_image'],
    ['mcp__x', 'cuebook_mcp__x'],
    ['', 'tool'],
    ['ünï', 'uni'],
    ['读', 'tool'],
    ['9.lives', '_9_lives'],
  ])('%s is told as %s', (ours, theirs) => {
    const { tools, ours: back } = named(ours);
    expect(tools.map(({ name }) => name)).toEqual([theirs]);
    expect(back(theirs)).toBe(ours);
  });

  it('are all different and lead back, for any names', () => {
    const name = fc.oneof(fc.string({ maxLength: 80 }), fc.constantFrom('a.b', 'a_b', 'a b', 'exec_command'));
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
        const { tools, ours } = named(...names);
        const told = tools.map((tool) => tool.name);
        expect(new Set(told).size).toBe(names.length);
        for (const each of told) expect(each).toMatch(/^(?!mcp__)[A-Za-z0-9_-]{1,64}$/);
        expect(told.map(ours)).toEqual(names);
      }),
      runs(300, 20_000),
    );
  });

  it('are those that prompts and model APIs have, where Codex takes them', () => {
    const { toWire } = kernel(['a.b', 'a_b', 'exec', 'é', 'cuebook_exec']);
    expect(named('a.b', 'a_b', 'exec', 'é', 'cuebook_exec').tools.map(({ name }) => name)).toEqual([
      ...['a_b', toWire('a_b'), 'cuebook_exec_2', 'e', 'cuebook_exec'],
    ]);
  });

  it('know none that was not offered', () => {
    expect(named('spawn_node').ours('other')).toBeUndefined();
  });
});
