import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { callableName, nameTools } from './tool-names.js';

/** What each vendor documents. */
const VENDORS: readonly RegExp[] = [
  /^[a-zA-Z0-9_-]{1,64}$/,
  /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
  /^[a-zA-Z0-9_-]{1,128}$/,
];

const odd = fc.constantFrom(
  ...[
    '',
    'a.b',
    'a_b',
    'a-b',
    'a b',
    '1',
    '-',
    'ä',
    '日本',
    '中文',
    '__proto__',
    'toString',
    'constructor',
    'value.Of',
    'valueOf_',
    'fs.read',
    'fs_read',
    'fsRead',
  ],
  'x'.repeat(200),
  `${'x'.repeat(199)}y`,
);
const name = fc.oneof(
  odd,
  fc.string({ maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.stringMatching(/^[a-z]{1,4}([._-][a-z]{1,4}){0,3}$/),
);
const names = fc.array(name, { maxLength: 12 });

describe('names that models can call', () => {
  it.each([
    ['fs.read', 'fs_read'],
    ['fs.apply_patch', 'fs_apply_patch'],
    ['mcp.small.add', 'mcp_small_add'],
    ['read_file', 'read_file'],
    ['A'.repeat(64), 'A'.repeat(64)],
    ['größe messen', 'gro_e_messen'],
    ['1st', '_1st'],
    ['toString', 'toString_'],
    ['__proto__', 'proto'],
    ['日本', 'tool'],
    ['', 'tool'],
  ])('%s is called %s', (own, called) => {
    expect(nameTools([own]).toWire(own)).toBe(called);
  });

  it('for every name: no object has it by itself', () => {
    fc.assert(
      fc.property(fc.oneof(name, fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype))), (own) => {
        expect(callableName(own) in {}).toBe(false);
        expect(callableName(callableName(own))).toBe(callableName(own));
      }),
      runs(500, 50_000),
    );
  });

  it('for every set of names: in the pattern of every vendor, one to one, there and back', () => {
    // A tool may be called what another one is mapped to.
    const withWires = names.map((own) => {
      const { toWire } = nameTools(own);
      return [...own, ...own.map(toWire), ...own.map((each) => toWire(toWire(each)))];
    });
    fc.assert(
      fc.property(withWires, (own) => {
        const { toWire, understand } = nameTools(own);
        const distinct = [...new Set(own)];
        expect(new Set(distinct.map(toWire)).size).toBe(distinct.length);
        for (const each of distinct) {
          expect(VENDORS.filter((vendor) => !vendor.test(toWire(each)))).toEqual([]);
          expect(understand(toWire(each))).toEqual({ kind: 'known', name: each });
          expect(understand(each, 'own')).toEqual({ kind: 'known', name: each });
        }
      }),
      runs(120, 20_000),
    );
  });

  it('a name has a suffix only where another has it already, and a tool that is added renames none', () => {
    fc.assert(
      fc.property(names, name, (own, added) => {
        const before = nameTools(own);
        const after = nameTools([...own, added]);
        for (const each of own) expect(after.toWire(each)).toBe(before.toWire(each));
        const isTaken = own.some((each) => each !== added && before.toWire(each) === callableName(added));
        if (!own.includes(added) && !isTaken) expect(after.toWire(added)).toBe(callableName(added));
      }),
      runs(120, 20_000),
    );
  });
});

describe('spellings of a name', () => {
  const tools = nameTools(['fs.read', 'fs.apply_patch', 'ui.ask_user', 'mcp.small.add', 'spawn_node']);

  it.each([
    ['fs.read', 'fs.read'],
    ['fs_read', 'fs.read'],
    ['fs-read', 'fs.read'],
    ['fsRead', 'fs.read'],
    ['FsRead', 'fs.read'],
    ['FS_READ', 'fs.read'],
    ['fsread', 'fs.read'],
    ['fs/read', 'fs.read'],
    [' fs.read ', 'fs.read'],
    ['functions.fs_read', 'fs.read'],
    ['default_api.fs_read', 'fs.read'],
    ['mcp__cuebook__fs_read', 'fs.read'],
    ['mcp_cuebook_fs_read', 'fs.read'],
    ['cuebook.fs.read', 'fs.read'],
    ['fs.applyPatch', 'fs.apply_patch'],
    ['askUser', undefined],
    ['ui.askUser', 'ui.ask_user'],
    ['mcp__small__add', 'mcp.small.add'],
    ['mcp__other__fs_read', undefined],
    ['functions.fs_read:0', 'fs.read'],
    ['fs_read:12', 'fs.read'],
    ['functions.mcp__cuebook__fs_read', 'fs.read'],
    ['fs_read<|channel|>commentary', 'fs.read'],
    ['fs_read(path)', 'fs.read'],
    ['fs_read_tool', 'fs.read'],
    ['api.spawnNode', 'spawn_node'],
    ['fs_read:other', undefined],
    ['functions.', undefined],
    ['tool', undefined],
    ['spawnNode', 'spawn_node'],
    ['fs.reads', 'fs.read'],
    ['fs_raed', 'fs.read'],
    ['fs_rea', 'fs.read'],
    ['fsraed', undefined],
    ['spwan_nodes', 'spawn_node'],
    ['spwannode', 'spawn_node'],
    ['unspawn_node', undefined],
    ['fs.reap', undefined],
    ['fs.write', undefined],
    ['gs.read', undefined],
    ['call:fs_read', 'fs.read'],
    ['to=functions.fs_read', 'fs.read'],
    ['multi_tool_use.fs_read', 'fs.read'],
    ['functions-fs_read', 'fs.read'],
    ['fs_read_0', 'fs.read'],
    ['fs_read{"path":"a"}', 'fs.read'],
    ['read', undefined],
    ['', undefined],
    ['.', undefined],
    ['__proto__', undefined],
    [`fs.read${' '.repeat(500)}`, undefined],
  ])('%s is understood as %s', (said, meant) => {
    expect(tools.understand(said)).toEqual(
      meant === undefined ? { kind: 'unknown' } : { kind: 'known', name: meant },
    );
  });

  it('a spelling that fits two tools is nobody, and both are named', () => {
    const two = nameTools(['fs.read', 'fs-read', 'x']);
    expect(two.understand('fsRead')).toEqual({ kind: 'ambiguous', names: ['fs.read', 'fs-read'] });
    expect(two.understand('fs.read')).toEqual({ kind: 'known', name: 'fs.read' });
    expect(two.understand('fs-read', 'own')).toEqual({ kind: 'known', name: 'fs-read' });
  });

  it('another letter or number in the place of one is another name', () => {
    const tools = nameTools(['lock_a', 'read_v1', 'http.get', 'page_2']);
    for (const said of ['lock_b', 'read_v2', 'read_v12', 'http.set', 'page_3', 'lock'])
      expect([said, tools.understand(said).kind]).toEqual([said, 'unknown']);
  });

  it('a slip that may be of two tools is nobody, and both are named; one that a hidden tool has too is nobody', () => {
    expect(nameTools(['a.cardx', 'a.cardy']).understand('a.cardq')).toEqual({
      kind: 'ambiguous',
      names: ['a.cardx', 'a.cardy'],
    });
    expect(nameTools(['write_files']).understand('write_file')).toEqual({
      kind: 'known',
      name: 'write_files',
    });
    expect(nameTools(['write_files'], ['write_file']).understand('write_file').kind).toBe('unknown');
    expect(nameTools(['write_files'], ['write_file']).understand('wirte_file').kind).toBe('unknown');
    expect(nameTools(['spell_box'], ['spelt_box']).understand('spel_box').kind).toBe('ambiguous');
  });

  it('a word that has a meaning of its own is no slip', () => {
    const other = {
      ...{ clone_issue: 'close_issue', upload_file: 'load_file', remove_file: 'move_file' },
      ...{ push_branch: 'pull_branch', unlock_door: 'lock_door', import_rows: 'export_rows' },
      ...{ decode_text: 'encode_text', detach_disk: 'attach_disk', 'http.get': 'http.set' },
      ...{ gh_create_issue: 'gl_create_issue', read_v1_rows: 'read_v2_rows', rename_it: 'name_it' },
    };
    for (const [own, said] of Object.entries(other))
      expect([own, said, nameTools([own]).understand(said).kind]).toEqual([own, said, 'unknown']);
  });

  const TOOLS = ['read_file', 'write_file', 'list_files', 'delete_file', 'send_handoff', 'fs.apply_patch'];
  const COMMON = [...TOOLS, 'ui.ask_user', 'spawn_node', 'create_edge', 'keep_context', 'search_code'];
  const anEdit = fc.record({
    at: fc.nat(20),
    how: fc.constantFrom('drop', 'double', 'swap', 'change', 'insert'),
    letter: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
    style: fc.constantFrom('own', 'camel', 'upper', 'dash', 'functions.'),
  });
  type Edit = typeof anEdit extends fc.Arbitrary<infer T> ? T : never;
  const edited = (own: string, { at: place, how, letter, style }: Edit): string => {
    const spots = [...own].flatMap((char, index) => (/[a-z]/.test(char) ? [index] : []));
    const at = spots[place % spots.length] ?? 0;
    const next = /[a-z]/.test(own[at + 1] ?? '') ? own[at + 1] : '';
    const put = { drop: '', double: `${own[at]}${own[at]}`, change: letter, insert: `${own[at]}${letter}` };
    const slip =
      how === 'swap'
        ? own.slice(0, at) + next + own[at] + own.slice(at + 1 + (next ?? '').length)
        : own.slice(0, at) + put[how] + own.slice(at + 1);
    if (style === 'camel') return slip.replace(/[._]([a-z])/g, (_all, char: string) => char.toUpperCase());
    if (style === 'upper') return slip.toUpperCase();
    return style === 'dash' ? slip.replace(/[._]/g, '-') : style === 'own' ? slip : `functions.${slip}`;
  };

  it('for all: one slip in a name is understood as that tool, or as nobody; never as another', () => {
    let understood = 0;
    let tried = 0;
    fc.assert(
      fc.property(fc.subarray(COMMON, { minLength: 1 }), fc.nat(), anEdit, (offered, which, edit) => {
        const own = offered[which % offered.length] ?? '';
        const hidden = COMMON.filter((each) => !offered.includes(each));
        const meant = nameTools(offered, hidden).understand(edited(own, edit));
        if (meant.kind === 'known') expect(meant.name).toBe(own);
        if (meant.kind === 'ambiguous') expect(meant.names).toContain(own);
        tried += 1;
        if (meant.kind === 'known') understood += 1;
      }),
      runs(400, 40_000),
    );
    expect(understood / tried).toBeGreaterThan(0.85);
  });

  it('for all: what is understood is offered, and a name of the history alone is never meant', () => {
    fc.assert(
      fc.property(names, names, name, (offered, others, said) => {
        const meant = nameTools(offered, others).understand(said);
        if (meant.kind === 'known') expect(offered).toContain(meant.name);
        if (meant.kind === 'ambiguous')
          expect(meant.names.every((each) => offered.includes(each))).toBe(true);
        if (offered.includes(said)) expect(meant.kind).toBe('known');
      }),
      runs(120, 20_000),
    );
  });
});
