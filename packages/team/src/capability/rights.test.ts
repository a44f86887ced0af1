import { createProvider, NO_CONFIG, type Provider, providerCatalog } from '@cuebook/provider';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { ALL_DECLARED, someNode } from '../../test/facts.js';
import { loadedRoles } from '../../test/roles.js';
import { declaredRights, delegates } from '../role/template.js';
import { accessOf, changedOutside, mountAccess } from './access.js';
import { type AuthorizeContext, authorize } from './authorize.js';
import { childRights, isWithinScope, type NodeRights, resolveRights, withRights } from './capabilities.js';
import type { GlobalMode } from './global-mode.js';
import { permitNative } from './native.js';

const MODES: readonly GlobalMode[] = ['PLANNING', 'IMPLEMENTATION'];
const RIGHTS = ['writeCode', 'writeDocs', 'runCommands'] as const;

/** What each shipped role may do: code, documents, commands. */
const SHIPPED: Readonly<Record<string, readonly [boolean, boolean, boolean]>> = {
  orchestrator: [true, true, true],
  planner: [false, true, false],
  implementer: [true, true, true],
  reviewer: [false, false, true],
  investigator: [false, false, false],
};

const someTemplate = fc.record({
  capabilities: fc.subarray([
    'write_code',
    'write_docs',
    'run_commands',
    'delegate',
    'research',
    'edge_management_all',
  ]),
  constraints: fc.subarray(['read_only', 'docs_only', 'no_edits', 'no_commands', 'cite_sources']),
});
const someSettings = fc.record(
  {
    edgeManagement: fc.constantFrom('none', 'self', 'all'),
    writeCode: fc.boolean(),
    writeDocs: fc.boolean(),
    runCommands: fc.boolean(),
    delegateOnly: fc.boolean(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<NonNullable<Parameters<typeof resolveRights>[0]['capabilities']>>;

describe('the rights of a role', () => {
  it.each(Object.entries(SHIPPED))('%s has what its template declares, and no more', (name, expected) => {
    const role = loadedRoles().find((each) => each.name === name);
    if (!role) throw new Error(name);
    const { capabilities } = resolveRights({ role: name }, role);
    expect(RIGHTS.map((key) => capabilities[key])).toEqual(expected);
  });

  it('every shipped role is in the table', () => {
    expect(
      loadedRoles()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(Object.keys(SHIPPED).sort());
  });

  it('without a template, or with one that declares nothing, there are none', () => {
    for (const template of [undefined, { capabilities: [], constraints: [] }]) {
      const given = { writeCode: true, writeDocs: true, runCommands: true };
      const { capabilities } = withRights(resolveRights({ role: 'x', capabilities: given }), template);
      expect(RIGHTS.map((key) => capabilities[key])).toEqual([false, false, false]);
    }
  });

  it.each<[string, readonly [boolean, boolean, boolean]]>([
    ['read_only', [false, false, false]],
    ['Read-Only', [false, false, false]],
    ['no edits', [false, false, true]],
    ['docs_only', [false, true, true]],
    ['no_commands', [true, true, false]],
    ['cite_sources', [true, true, true]],
  ])('the constraint "%s" wins over what is declared', (word, expected) => {
    const rights = declaredRights({ ...ALL_DECLARED, constraints: [word] });
    expect(RIGHTS.map((key) => rights[key])).toEqual(expected);
  });

  it('no setting gives what the template does not, and a setting takes away', () => {
    fc.assert(
      fc.property(someTemplate, someSettings, (template, settings) => {
        const { capabilities } = resolveRights({ role: 'x', capabilities: settings }, template);
        const declared = declaredRights(template);
        for (const key of RIGHTS) expect(capabilities[key]).toBe(declared[key] && settings[key] !== false);
      }),
      runs(300, 20_000),
    );
  });

  it('a template that is edited changes the rights of all who have its role, within their settings', () => {
    fc.assert(
      fc.property(someTemplate, someTemplate, someSettings, (before, after, settings) => {
        const first = {
          ...someNode({ id: 'a' }),
          ...resolveRights({ role: 'x', capabilities: settings }, before),
        };
        const direct = resolveRights({ role: 'x', capabilities: settings }, after);
        expect(withRights(first, after).capabilities).toEqual(direct.capabilities);
      }),
      runs(300, 20_000),
    );
  });
});

describe('every gate agrees', () => {
  const providers = providerCatalog(NO_CONFIG).flatMap(({ name }) => {
    const made = createProvider(name, { config: NO_CONFIG, env: {} });
    return made.ok ? [made.value] : [];
  });

  it('there are providers of every kind', () => {
    expect([...new Set(providers.map(({ kind }) => kind))].sort()).toEqual(['api', 'cli', 'rehearsal']);
    expect(providers.map(({ name }) => name)).toEqual(expect.arrayContaining(['claude', 'codex', 'gemini']));
  });

  it('tools, questions of agents, flags, mounts and the diff check allow the same, for all roles, modes and providers', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom(...loadedRoles()), someTemplate),
        someSettings,
        fc.constantFrom(...MODES),
        fc.constantFrom(...providers),
        (template, settings, globalMode, provider) => {
          const node = {
            ...someNode({ id: 'node_1', provider: provider.name }),
            ...resolveRights({ role: 'x', capabilities: settings }, template),
          };
          const { writeCode, writeDocs, runCommands, delegateOnly } = node.capabilities;
          const may = {
            code: writeCode && !delegateOnly && globalMode === 'IMPLEMENTATION',
            docs: writeDocs && !delegateOnly,
            run: runCommands && !delegateOnly && globalMode === 'IMPLEMENTATION',
          };
          const context: AuthorizeContext = {
            ...{ globalMode, nativeTools: false, nodes: [node] },
            ...{ scope: 'none', limits: { nodes: 9, depth: 2 } },
          };
          const tool = (name: string, input: object) =>
            authorize(node, { name, input: input as never }, context).kind === 'allow';
          const asked = (name: string, input: object) =>
            permitNative(node, { tool: name, input: input as never }, { globalMode }).kind !== 'deny';
          expect([
            tool('write_file', { path: 'src/a' }),
            tool('write_file', { path: 'docs/a' }),
            tool('command', { cmd: 'x' }),
          ]).toEqual([may.code, may.docs, may.run]);
          expect([
            asked('Edit', { file_path: 'src/a' }),
            asked('Write', { file_path: 'docs/a' }),
            asked('Bash', { command: 'x' }),
          ]).toEqual([may.code, may.docs, may.run]);
          expect(mountAccess(node, globalMode)).toEqual({
            code: may.code ? 'rw' : 'ro',
            docs: may.docs ? 'rw' : 'ro',
          });
          expect(changedOutside(node, globalMode, ['src/a', 'docs/a'])).toEqual([
            ...(may.code ? [] : ['src/a']),
            ...(may.docs ? [] : ['docs/a']),
          ]);
          expect(flagsTooWide(node, globalMode, provider)).toEqual([]);
        },
      ),
      runs(400, 20_000),
    );
  });

  it('flags that are not asked about let nobody do more than it may: every combination', () => {
    const bits = Array.from({ length: 32 }, (_, bit) => [1, 2, 4, 8, 16].map((each) => (bit & each) !== 0));
    for (const [
      writeCode = false,
      writeDocs = false,
      runCommands = false,
      delegateOnly = false,
      isGated,
    ] of bits)
      for (const globalMode of MODES)
        for (const provider of providers) {
          const node = someNode({ id: 'node_1', provider: provider.name });
          const capabilities = { ...node.capabilities, writeCode, writeDocs, runCommands, delegateOnly };
          const permissions = {
            ...node.permissions,
            cliPermissionsMode: isGated ? 'gated' : 'skip',
          } as const;
          expect(flagsTooWide({ capabilities, permissions }, globalMode, provider)).toEqual([]);
        }
  });
});

/** What the flags of a node let it do unasked that it may not. */
function flagsTooWide(
  { capabilities, permissions }: Pick<NodeRights, 'capabilities' | 'permissions'>,
  globalMode: (typeof MODES)[number],
  { capabilities: { approves }, editRunsCommands }: Provider,
): readonly string[] {
  const { writeCode, writeDocs, runCommands, delegateOnly } = capabilities;
  const works = globalMode === 'IMPLEMENTATION' && !delegateOnly;
  const may = { code: writeCode && works, docs: writeDocs && !delegateOnly, run: runCommands && works };
  const { access, ask } = accessOf({ capabilities, permissions }, globalMode, { approves, editRunsCommands });
  const isNothing = !may.code && !may.docs && !may.run;
  return [
    ...(isNothing && (access !== 'plan' || ask) ? ['anything'] : []),
    ...(!ask && access !== 'plan' && !(may.code && may.docs) ? ['write'] : []),
    ...(!ask && (access === 'full' || (access === 'edit' && editRunsCommands)) && !may.run ? ['run'] : []),
  ];
}

const limitOf = ({ capabilities, limit = capabilities }: NodeRights): NodeRights['capabilities'] => limit;

describe('a child', () => {
  const someNodeRights = fc.record({
    input: fc.record({
      role: fc.constantFrom('orchestrator', 'Orchestrator ', 'implementer'),
      capabilities: someSettings,
      permissions: fc.record(
        {
          cliPermissionsMode: fc.constantFrom('skip', 'gated'),
          agentManagementRequiresApproval: fc.boolean(),
        },
        { requiredKeys: [] },
      ) as fc.Arbitrary<NonNullable<Parameters<typeof resolveRights>[0]['permissions']>>,
    }),
    template: someTemplate,
  });
  const exceeds = (child: NodeRights, parent: NodeRights, bound: NodeRights['capabilities']): boolean =>
    (child.orchestrator && !parent.orchestrator) ||
    !isWithinScope(child.capabilities.edgeManagement, bound.edgeManagement) ||
    RIGHTS.some((key) => child.capabilities[key] && !bound[key]) ||
    (bound.delegateOnly && !child.capabilities.delegateOnly) ||
    (parent.permissions.cliPermissionsMode === 'gated' && child.permissions.cliPermissionsMode === 'skip') ||
    (parent.permissions.agentManagementRequiresApproval &&
      !child.permissions.agentManagementRequiresApproval);

  it('never has more rights than its parent may hand on, at any depth', () => {
    fc.assert(
      fc.property(fc.array(someNodeRights, { minLength: 2, maxLength: 6 }), (line) => {
        const [first, ...others] = line as [(typeof line)[number], ...typeof line];
        let [parent, parentTemplate] = [resolveRights(first.input, first.template), first.template];
        for (const { input, template } of others) {
          const child = childRights(input, parent, { template, parentTemplate });
          // One whose role delegates hands on what a person has set for it; any other what it has itself.
          expect(
            exceeds(child, parent, delegates(parentTemplate) ? limitOf(parent) : parent.capabilities),
          ).toBe(false);
          const declared = declaredRights(template);
          for (const key of RIGHTS) expect(child.capabilities[key] && !declared[key]).toBe(false);
          // Nothing that a person took away comes back, however far down.
          for (const key of RIGHTS) expect(limitOf(child)[key] && !limitOf(parent)[key]).toBe(false);
          [parent, parentTemplate] = [child, template];
        }
      }),
      runs(500, 50_000),
    );
  });

  it('of an orchestrator that writes no code itself can, when its own template says so', () => {
    const roles = loadedRoles();
    const [lead, dev] = ['orchestrator', 'implementer'].map((name) =>
      roles.find((each) => each.name === name),
    );
    const template = { capabilities: ['edge_management_all', 'delegate'], constraints: ['no_edits'] };
    const parent = resolveRights({ role: 'orchestrator' }, template);
    expect(parent.capabilities.writeCode).toBe(false);
    const child = childRights({ role: 'implementer' }, parent, {
      template: dev,
      parentTemplate: template,
    });
    expect(child.capabilities).toMatchObject({ writeCode: true, runCommands: true });
    const held = resolveRights({ role: 'orchestrator', capabilities: { runCommands: false } }, lead);
    const bound = childRights({ role: 'implementer', capabilities: { runCommands: true } }, held, {
      template: dev,
      parentTemplate: lead,
    });
    expect(bound.capabilities).toMatchObject({ writeCode: true, runCommands: false });
  });
});
