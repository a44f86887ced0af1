import type { JsonValue } from '@cuebook/prompt';
import { describe, expect, it } from 'vitest';
import { nodeWith, WORKER } from '../../test/rights.js';
import type { GlobalMode } from './global-mode.js';
import { nativeKind, nativePaths, permitNative } from './native.js';

describe('an agent that asks before it acts', () => {
  it.each<[string, JsonValue, GlobalMode, string]>([
    ['Read', { file_path: 'src/a.ts' }, 'PLANNING', 'allow'],
    ['Write', { file_path: 'src/a.ts' }, 'PLANNING', 'deny'],
    ['Write', { file_path: 'docs/a.md' }, 'PLANNING', 'allow'],
    ['MultiEdit', { file_path: 'docs/../a.md' }, 'PLANNING', 'deny'],
    ['Write', {}, 'PLANNING', 'deny'],
    ['Bash', { command: 'ls' }, 'PLANNING', 'deny'],
    ['Bash', { command: 'ls' }, 'IMPLEMENTATION', 'allow'],
    ['apply_patch', { changes: { 'docs/a.md': 1, 'src/b.ts': 1 } }, 'PLANNING', 'deny'],
    ['run_shell_command', {}, 'PLANNING', 'deny'],
    ['mcp__weather__get', {}, 'IMPLEMENTATION', 'ask'],
  ])('%s %j in %s: %s', (tool, input, globalMode, kind) => {
    expect(permitNative(WORKER, { tool, input }, { globalMode }).kind).toBe(kind);
  });
  it('in words that it wrote itself is asked about whatever the rules would allow, and denied what they forbid', () => {
    const tools = [
      'Read',
      'read',
      'think',
      'Write',
      'edit',
      'Bash',
      'execute',
      'mcp__cuebook__spawn_node',
      '',
    ];
    for (const globalMode of ['PLANNING', 'IMPLEMENTATION'] as const)
      for (const tool of tools)
        for (const input of [{}, { file_path: 'docs/a.md' }, { command: 'ls', path: 'src/a.ts' }]) {
          const known = permitNative(WORKER, { tool, input }, { globalMode }).kind;
          const claimed = permitNative(WORKER, { tool, input }, { globalMode, claimed: true }).kind;
          expect([tool, claimed]).toEqual([tool, known === 'deny' ? 'deny' : 'ask']);
        }
  });
  it('is asked about each act, reading too, where a person is to be asked', () => {
    const permissions = { cliPermissionsMode: 'gated', agentManagementRequiresApproval: true } as const;
    const gated = nodeWith('x', {}, { permissions });
    for (const tool of ['Read', 'Write', 'Bash', 'Task'])
      expect(
        permitNative(gated, { tool, input: { path: 'docs/a' } }, { globalMode: 'IMPLEMENTATION' }).kind,
      ).toBe('ask');
  });
  it('a file that is withheld is denied to every tool, whoever asks', () => {
    const paths = [{ kind: 'code', path: 'a' } as const, { kind: 'outside', withheld: true } as const];
    for (const tool of ['Read', 'Grep', 'Write', 'Bash', 'mcp__x__y'])
      expect([
        tool,
        permitNative(WORKER, { tool, input: {} }, { globalMode: 'IMPLEMENTATION', paths }).kind,
      ]).toEqual([tool, 'deny']);
  });
  it('a place is judged under whatever key, at whatever depth and beside whatever other place it stands', () => {
    const spelled = (
      'path file_path filePath file fileName target_file TargetFile move_path movePath new_path destination dest to ' +
      'from source uri notebook_path absolute_path directory folder rename_to paths file_paths location'
    ).split(' ');
    const beside = 'docs/a.md';
    const nestings: readonly ((key: string, place: string) => JsonValue)[] = [
      (key, place) => ({ [key]: place }),
      (key, place) => ({ file_path: beside, args: { [key]: place } }),
      (key, place) => ({ changes: [{ path: beside, kind: { type: 'update', [key]: place } }] }),
      (key, place) => ({ changes: { [beside]: { update: { [key]: place } } } }),
      (key, place) => ({ edits: [{ [key]: place }], file_path: beside }),
      (key, place) => ({ file_path: beside, more: { [key]: [place] } }),
      (key, place) => ({ fileChanges: { [beside]: 1, [place]: { [key]: beside } } }),
    ];
    const places = ['src/x.ts', '/etc/x', 'file:///etc/passwd', 'file:///etc/%70asswd', 'docs/../src/x.ts'];
    const through = spelled.flatMap((key) =>
      nestings.flatMap((nest) =>
        places.flatMap((place) => {
          const input = nest(key, place);
          const permit = permitNative(WORKER, { tool: 'fileChange', input }, { globalMode: 'PLANNING' });
          return permit.kind === 'deny' ? [] : [JSON.stringify(input)];
        }),
      ),
    );
    expect(through).toEqual([]);
    const edit = { file_path: beside, old_string: 'src/x.ts', new_string: '/etc/x', replace_all: true };
    expect(permitNative(WORKER, { tool: 'Edit', input: edit }, { globalMode: 'PLANNING' }).kind).toBe(
      'allow',
    );
  });
  it('a place is found at any depth, in any order', () => {
    const wraps: readonly ((inner: JsonValue) => JsonValue)[] = [
      (inner) => [inner],
      (inner) => ({ a: 'x', more: inner }),
      (inner) => ({ changes: [inner], b: 1 }),
      (inner) => [null, [[inner]]],
    ];
    for (const depth of [0, 1, 11, 12, 13, 100, 20_000]) {
      let input: JsonValue = { target: { value: 'src/x.ts' }, text: 'no place' };
      for (let at = 0; at < depth; at += 1) input = wraps[at % wraps.length]?.(input) ?? input;
      expect([depth, nativePaths(input)]).toEqual([depth, ['src/x.ts']]);
    }
    const keys = 'save_as moveTo copy_to writeTo root document symlink_path outFile working_directory'.split(
      ' ',
    );
    for (const key of keys) expect([key, nativePaths({ more: [{ [key]: 'x' }] })]).toEqual([key, ['x']]);
    expect(nativePaths({ url: 'file:///etc/x', link: 'https://x.test/a' })).toEqual(['/etc/x']);
    expect(nativePaths({ path: ['a', { name: 'b' }], to: 'c', changes: { d: 1 } })).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
  });
  it('names are known however they are written', () => {
    expect(['Bash', 'run_shell_command', 'exec-command'].map(nativeKind)).toEqual([
      'command',
      'command',
      'command',
    ]);
  });
});
