import { memorySource } from '@cuebook/files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { findRoles, loadRole, lookForRoles, readRole } from './load.js';
import { isRoleName, roleOfFile } from './name.js';
import { readPreamble } from './preamble.js';
import { SHIPPED_ROLES } from './shipped.js';
import { edgeScopeOf } from './template.js';

const repository = (files: Readonly<Record<string, string>>) => {
  const source = memorySource(files);
  if (!source.ok) throw new Error(source.error.code);
  return source.value;
};
const OWN = `[template]
name = "planner"
version = "7"
capabilities = ["edge_management_self"]
constraints = []

Plan as we do here.
`;

describe('the shipped templates', () => {
  it.each(Object.keys(SHIPPED_ROLES))('%s parses without a complaint', async (name) => {
    const role = await loadRole(repository({}), name);
    expect(role).toMatchObject({
      ok: true,
      diagnostics: [],
      value: { name, version: '1', source: 'shipped' },
    });
    if (!role.ok) throw new Error();
    expect(role.value.capabilities.length).toBeGreaterThan(0);
    expect(role.value.constraints.length).toBeGreaterThan(0);
    for (const part of ['Identity', 'Responsibilities', 'Constraints', 'Output'])
      expect(role.value.text).toContain(`\n## ${part}\n`);
  });

  it('only the orchestrator may change the graph', async () => {
    const roles = await Promise.all(Object.keys(SHIPPED_ROLES).map((name) => loadRole(repository({}), name)));
    const scopes = roles.map((role) => role.ok && [role.value.name, edgeScopeOf(role.value)]);
    expect(scopes.filter((row) => row && row[1] !== 'none')).toEqual([['orchestrator', 'all']]);
  });
});

describe('resolution', () => {
  it("the repository's own file comes first, and without it the shipped one", async () => {
    const own = await loadRole(repository({ 'docs/templates/planner.md': OWN }), 'planner');
    expect(own).toMatchObject({ ok: true, value: { version: '7', source: 'repository', text: OWN } });
    const shipped = await loadRole(repository({ 'docs/templates/other.md': OWN }), 'planner');
    expect(shipped).toMatchObject({ ok: true, value: { source: 'shipped', text: SHIPPED_ROLES.planner } });
  });

  it('a name that nobody has is an error that says what was meant', async () => {
    const role = await loadRole(repository({ 'docs/templates/tester.md': OWN }), 'planer');
    expect(role).toMatchObject({ ok: false, diagnostics: [{ code: 'E_ROLE_UNKNOWN' }] });
    expect(!role.ok && role.diagnostics[0]?.message).toContain('Did you mean "planner"?');
    const other = await loadRole(repository({ 'docs/templates/tester.md': OWN }), 'zzz');
    expect(!other.ok && other.diagnostics[0]?.message).toContain('tester');
  });

  it('a file of the repository that cannot be used does not fall back', async () => {
    const files = { 'docs/templates/planner.md': OWN.replace('"7"', '7') };
    const role = await loadRole(repository(files), 'planner');
    expect(role).toMatchObject({ ok: false, diagnostics: [{ code: 'E_ROLE', line: 3 }] });
  });

  it('lists the repository and the shipped ones together, each once', async () => {
    const names = await findRoles(
      repository({ 'docs/templates/planner.md': OWN, 'docs/templates/a.md': OWN }),
    );
    expect(names).toEqual(['a', 'implementer', 'investigator', 'orchestrator', 'planner', 'reviewer']);
  });

  it('a look at the folder answers for each file as reading it does', async () => {
    const names = ['planner', 'implementer', 'own', 'Planner', 'nobody'];
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(['planner.md', 'own.md', 'PLANNER.md', 'planner', 'x/own.md']),
        async (files) => {
          const source = repository(Object.fromEntries(files.map((file) => [`docs/templates/${file}`, OWN])));
          const folder = await lookForRoles(source);
          for (const name of names)
            expect(await readRole(source, name, folder)).toEqual(await readRole(source, name));
        },
      ),
      runs(50, 500),
    );
  });

  it.each([
    ['E_FILE_NOT_FOUND', ['docs/templates/planner.md'], false],
    ['E_ACCESS', ['docs/templates/planner.md'], true],
  ] as const)(
    'a folder that cannot be listed (%s) says nothing that it does not know',
    async (code, [file], may) => {
      const list = async () => ({ ok: false, error: { code, path: 'docs/templates' } }) as never;
      const folder = await lookForRoles({ ...repository({}), list });
      expect([folder.own, folder.mayHave(file)]).toEqual([[], may]);
    },
  );

  it('a listing that was cut short rules nothing out', async () => {
    const value = { path: 'docs/templates', entries: [], truncated: true, unaddressable: 0 };
    const folder = await lookForRoles({ ...repository({}), list: async () => ({ ok: true, value }) });
    expect(folder.mayHave('docs/templates/planner.md')).toBe(true);
  });

  it.each(['../secret', 'a/b', '..', '', 'a.b', 'ä', 'a\n', 'con/../x', 'x'.repeat(65)])(
    'the name %j is refused before any file is looked at',
    async (name) => {
      const reads: string[] = [];
      const source = repository({});
      const watched = {
        ...source,
        readText: (path: string) => {
          reads.push(path);
          return source.readText(path);
        },
      };
      expect(await loadRole(watched, name)).toMatchObject({
        ok: false,
        diagnostics: [{ code: 'E_ROLE_NAME' }],
      });
      expect(reads).toEqual([]);
    },
  );

  it('no name leads out of the folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        if (!isRoleName(name)) return;
        expect(roleOfFile(`docs/templates/${name}.md`)).toBe(name);
        expect(name).not.toMatch(/[./\\\s]/);
      }),
      runs(1_000, 100_000),
    );
  });
});

describe('the preamble', () => {
  const problems = (text: string) =>
    readPreamble('planner', 'docs/templates/planner.md', text).diagnostics.map(({ code, line, message }) => [
      code,
      line,
      message,
    ]);

  it('reports every problem at once, each with its line', () => {
    const text =
      '[template]\nname = "other"\nversion = 2\ncapabilites = ["x"]\ncapabilities = "all"\nconstraints = [1]\n\ntext';
    expect(problems(text)).toEqual([
      ['W_ROLE', 4, '"capabilites" is not a key of a preamble. Did you mean "capabilities"?'],
      ['E_ROLE', 3, "The preamble's version is a text in quotes"],
      ['E_ROLE', 5, "The preamble's capabilities are a list of at most 64 words in quotes"],
      ['E_ROLE', 6, "The preamble's constraints are a list of at most 64 words in quotes"],
      ['E_ROLE', 2, 'The preamble says "other" and the file is called "planner"'],
    ]);
  });

  it.each([
    ['no TOML', OWN.replace('version = "7"', 'version = '), 'E_ROLE', 3, /not TOML/],
    ['a version that is no text', OWN.replace('"7"', '7'), 'E_ROLE', 3, /version is a text/],
    ['no preamble', 'Plan.', 'W_ROLE', 1, /no \[template\] preamble/],
    ['a fenced preamble', `\`\`\`\n${OWN}`, 'W_ROLE', 1, /no \[template\] preamble/],
    ['a right almost named', OWN.replace('management', 'managment'), 'W_ROLE', 4, /edge_management_self/],
  ])('%s', (_name, text, code, line, message) => {
    expect(problems(text)).toEqual([[code, line, expect.stringMatching(message)]]);
  });

  it('every key may be left out, alone or with others', () => {
    const lines = [
      'name = "planner"',
      'version = "7"',
      'capabilities = ["write_docs"]',
      'constraints = ["x"]',
    ];
    fc.assert(
      fc.property(fc.subarray(lines), (kept) => {
        const { preamble, diagnostics } = readPreamble(
          'planner',
          'f',
          ['[template]', ...kept, '', 'Plan.'].join('\n'),
        );
        expect(diagnostics).toEqual([]);
        expect(preamble).toEqual({
          name: 'planner',
          version: kept.includes(lines[1] ?? '') ? '7' : '',
          capabilities: kept.includes(lines[2] ?? '') ? ['write_docs'] : [],
          constraints: kept.includes(lines[3] ?? '') ? ['x'] : [],
        });
      }),
      runs(16, 64),
    );
  });

  it('takes CRLF, comments and an array over several lines', () => {
    const text = OWN.replace(
      '["edge_management_self"]',
      '[ # rights\n  "edge_management_self",\n]',
    ).replaceAll('\n', '\r\n');
    const { preamble, diagnostics } = readPreamble('planner', 'f', text);
    expect(diagnostics).toEqual([]);
    expect(edgeScopeOf(preamble)).toBe('self');
  });

  it('never throws, whatever the text', () => {
    const someText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'=[]"\n, ab{}#.1') }).map((text) => `[template]\n${text}`),
    );
    fc.assert(
      fc.property(someText, (text) => {
        const { preamble, diagnostics } = readPreamble('planner', 'f', text);
        expect(Array.isArray(preamble.capabilities)).toBe(true);
        for (const { line } of diagnostics) expect(line).toBeLessThanOrEqual(text.split('\n').length);
      }),
      runs(1_000, 100_000),
    );
  });
});
