import { describe, expect, it } from 'vitest';
import { nodeWith, WORKER } from '../../test/rights.js';
import type { TeamNode } from '../graph/node.js';
import { accessOf, changedOutside, mayChange, mayTouch, mountAccess } from './access.js';
import { withRights } from './capabilities.js';
import type { GlobalMode } from './global-mode.js';

describe('the flags of a provider', () => {
  const ASKS = { approves: true };
  it.each<[string, Partial<TeamNode['capabilities']>, GlobalMode, boolean, object]>([
    ['everything', {}, 'IMPLEMENTATION', true, { access: 'full', ask: false }],
    ['no commands', { runCommands: false }, 'IMPLEMENTATION', true, { access: 'edit', ask: false }],
    [
      'documents alone',
      { writeCode: false, runCommands: false },
      'IMPLEMENTATION',
      true,
      { access: 'edit', ask: true },
    ],
    [
      'documents alone, no asking',
      { writeCode: false, runCommands: false },
      'IMPLEMENTATION',
      false,
      { access: 'plan', ask: false },
    ],
    ['PLANNING', {}, 'PLANNING', true, { access: 'edit', ask: true }],
    ['PLANNING, no asking', {}, 'PLANNING', false, { access: 'plan', ask: false }],
    ['PLANNING without documents', { writeDocs: false }, 'PLANNING', true, { access: 'plan', ask: false }],
    ['delegateOnly', { delegateOnly: true }, 'IMPLEMENTATION', true, { access: 'plan', ask: false }],
  ])('%s', (_name, given, globalMode, approves, expected) => {
    expect(accessOf(nodeWith('x', given), globalMode, { approves })).toEqual(expected);
  });
  it('a gated node is asked about', () => {
    const permissions = { cliPermissionsMode: 'gated', agentManagementRequiresApproval: true } as const;
    expect(accessOf({ ...WORKER, permissions }, 'IMPLEMENTATION', ASKS)).toEqual({
      access: 'full',
      ask: true,
    });
  });
  it('its own file tools open no more', () => {
    expect(mountAccess(WORKER, 'PLANNING')).toEqual({ docs: 'rw', code: 'ro' });
    expect(mountAccess(nodeWith('x', { writeDocs: false }), 'IMPLEMENTATION')).toEqual({
      docs: 'ro',
      code: 'rw',
    });
  });
  it('a program that acts by itself is watched in the folder of a person, whatever its rights', () => {
    const flags = ['writeCode', 'writeDocs', 'runCommands', 'delegateOnly'] as const;
    const role = { capabilities: [], constraints: ['read_only'] };
    for (let bits = 0; bits < 1 << flags.length; bits += 1) {
      const given = Object.fromEntries(flags.map((flag, at) => [flag, (bits & (1 << at)) !== 0]));
      for (const node of [nodeWith('x', given), withRights(nodeWith('x', given), role)]) {
        for (const mode of ['PLANNING', 'IMPLEMENTATION'] as const) {
          expect(mayTouch(node, mode, true)).toBe(true);
          expect(mayTouch(node, mode, false)).toBe(mayChange(node, mode));
        }
      }
    }
  });
  it('what was changed against the rules is found, however it was done', () => {
    const files = ['docs/a.md', 'src/a.ts', '../x'];
    expect(changedOutside(WORKER, 'PLANNING', files)).toEqual(['src/a.ts', '../x']);
    expect(changedOutside(WORKER, 'IMPLEMENTATION', files)).toEqual(['../x']);
  });
});
