import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { visibleTools } from '../tool/catalog.js';
import { DEFAULT_POLICY, mergePolicies, narrower, type ToolSettings } from './policy.js';

describe('the merge', () => {
  it.each<readonly [string, ToolSettings, Parameters<typeof mergePolicies>[1], object]>([
    ['nothing said: the defaults', {}, {}, DEFAULT_POLICY],
    [
      'an agent tightens one limit',
      { fs: { maxReadBytes: 524_288, maxWriteBytes: 2_097_152 } },
      { fs: { maxReadBytes: 1000 } },
      { fs: { enabled: true, maxReadBytes: 1000, maxWriteBytes: 2_097_152 } },
    ],
    [
      'an agent cannot widen',
      { fs: { maxReadBytes: 10 } },
      { fs: { maxReadBytes: 1000 } },
      { fs: { maxReadBytes: 10 } },
    ],
    ['mcp wants both sides', { mcp: { enabled: true } }, undefined, { mcp: { enabled: false } }],
    ['mcp on both sides', { mcp: { enabled: true } }, { mcp: { enabled: true } }, { mcp: { enabled: true } }],
    [
      'servers of both lists',
      { mcp: { enabled: true, allowedServers: ['a', 'b'] } },
      { mcp: { enabled: true, allowedServers: ['b', 'c'] } },
      { mcp: { enabled: true, allowedServers: ['b'] } },
    ],
    [
      'an empty list is no server',
      { mcp: { enabled: true } },
      { mcp: { enabled: true, allowedServers: [] } },
      { mcp: { allowedServers: [] } },
    ],
    ['undefined is not a value', { fs: { maxReadBytes: undefined } }, {}, { fs: { maxReadBytes: 524_288 } }],
    ['the terminal is off', {}, {}, { terminal: { enabled: false } }],
  ])('%s', (_name, system, agent, expected) => {
    expect(mergePolicies(system, agent)).toMatchObject(expected);
  });

  it('an agent never gets more than the operator gives', () => {
    const limit = fc.option(fc.integer({ min: 1, max: 1e9 }), { nil: undefined });
    const flag = fc.option(fc.boolean(), { nil: undefined });
    const servers = fc.option(fc.subarray(['a', 'b', 'c']), { nil: undefined });
    const side = fc.record({
      fs: fc.record({ enabled: flag, maxReadBytes: limit, maxWriteBytes: limit }),
      mcp: fc.record({ enabled: flag, allowedServers: servers }),
    });
    fc.assert(
      fc.property(side, side, (system, agent) => {
        const merged = mergePolicies(system, agent);
        const alone = mergePolicies(system, { mcp: { enabled: true } });
        expect(merged.fs.maxReadBytes).toBeLessThanOrEqual(alone.fs.maxReadBytes);
        expect(merged.fs.maxWriteBytes).toBeLessThanOrEqual(alone.fs.maxWriteBytes);
        expect(merged.fs.enabled && !alone.fs.enabled).toBe(false);
        expect(merged.mcp.enabled && !alone.mcp.enabled).toBe(false);
        const allowed = alone.mcp.allowedServers;
        if (allowed !== undefined) {
          expect(merged.mcp.allowedServers?.filter((name) => !allowed.includes(name))).toEqual([]);
        }
      }),
      runs(200, 5000),
    );
  });
});

it('the visible tools are those of the policy', () => {
  const names = (settings: ToolSettings): readonly string[] =>
    visibleTools(mergePolicies(settings)).map(({ name }) => name);
  const fs = ['fs.list', 'fs.read', 'fs.search', 'fs.write', 'fs.apply_patch'];
  expect(names({})).toEqual([...fs, 'ui.ask_user']);
  expect(names({ fs: { enabled: false } })).toEqual(['ui.ask_user']);
  expect(names({ terminal: { enabled: true } })).toEqual([...fs, 'ui.ask_user', 'terminal.run']);
});

it('two policies narrow each other in whichever order, and one and the same is itself', () => {
  const one = mergePolicies(
    {
      fs: { maxReadBytes: 10 },
      mcp: { enabled: true, allowedServers: ['a', 'b'], approval: 'never' },
      terminal: { enabled: true, commands: ['git', 'ls'], timeoutMs: 5 },
    },
    { mcp: { enabled: true } },
  );
  const other = mergePolicies(
    {
      fs: { maxWriteBytes: 20 },
      mcp: { enabled: true, allowedServers: ['b', 'c'], approval: 'always' },
      terminal: { enabled: true, commands: ['git'], maxStdoutBytes: 7 },
    },
    { mcp: { enabled: true } },
  );
  expect(narrower(one, one)).toEqual(one);
  expect(narrower(one, other)).toEqual(narrower(other, one));
  expect(narrower(one, other)).toEqual({
    fs: { enabled: true, maxReadBytes: 10, maxWriteBytes: 20 },
    mcp: { enabled: true, allowedServers: ['b'], approval: 'always' },
    terminal: { ...other.terminal, enabled: true, commands: ['git'], timeoutMs: 5, maxStdoutBytes: 7 },
  });
  expect(narrower(one, DEFAULT_POLICY)).toMatchObject({
    mcp: { enabled: false },
    terminal: { enabled: false },
  });
});
