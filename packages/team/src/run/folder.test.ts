import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { spec, teamRun } from '../../test/team-run.js';
import { hostOf } from '../graph/workspace.js';
import { composeNode } from '../prompt/compose.js';
import { promptInput } from './facts.js';
import { nodesOf } from './state.js';

type Run = ReturnType<typeof teamRun>;
const by = 'ann';
const tell = (run: Run, node: string) => run.submit({ type: 'node.message', node, text: 'go', by });
const calls = (run: Run, alias: string) =>
  run.results(alias).flatMap((each) => (each.kind === 'call' ? [each.result] : []));
const promptText = (run: Run, alias: string): string => {
  const input = promptInput(run.state(), run.node(alias).node.id, { nativeTools: () => false });
  if (!input) throw new Error('no turn');
  return composeNode(input)
    .full.map(({ pieces }) => pieces.map(({ text }) => text).join(''))
    .join('\n\n');
};
const idOf = (run: Run, alias: string): string => run.node(alias).node.id;

const READS = {
  ...spec('x', 'reviewer').capabilities,
  writeCode: false,
  writeDocs: false,
  runCommands: false,
};
const TEAM = {
  nodes: [
    spec('dev', 'implementer'),
    spec('review', 'reviewer', { workspace: { with: 'DEV' }, capabilities: READS }),
    spec('test', 'implementer', { workspace: { with: 'review' } }),
    spec('doc', 'planner'),
  ],
  edges: [],
  mode: 'INTERACTIVE',
  goal: null,
} as const;
const started = (more: object = {}): Run => {
  const run = teamRun();
  run.start({ ...TEAM, ...more });
  return run;
};

describe('a folder with several nodes', () => {
  it('belongs to one node, whoever names whom', () => {
    const run = started();
    const dev = idOf(run, 'dev');
    expect(nodesOf(run.state()).map(({ node }) => node.workspace)).toEqual([
      'own',
      { with: dev },
      { with: dev },
      'own',
    ]);
  });

  it('is used in turns, by readers too, until all that hangs on a turn is done', () => {
    const run = started({ verify: ['npm test'] });
    for (const alias of ['dev', 'review', 'test', 'doc']) tell(run, alias);
    const inFlight = () => ['dev', 'review', 'test', 'doc'].filter((alias) => run.turn(alias));
    expect(inFlight()).toEqual(['dev', 'doc']);
    run.answers('dev', 'done');
    expect(inFlight()).toEqual(['doc']);
    run.diffs('dev', ['src/a.ts']);
    expect(inFlight()).toEqual(['doc']);
    run.settle(run.effects('verify.run', 'dev')[0]?.id ?? '', { ok: true, output: { failure: null } });
    expect(inFlight()).toEqual(['review', 'doc']);
    // A reader has a diff of its own, and what it may not change is set aside before anybody else begins.
    run.answers('review', 'done');
    run.diffs('review', ['src/a.ts']);
    expect(run.effects('diff.set-aside', 'review')[0]?.input).toMatchObject({ files: ['src/a.ts'] });
    expect(inFlight()).toEqual(['doc']);
    run.settle(run.effects('diff.set-aside', 'review')[0]?.id ?? '', { ok: true, output: {} });
    expect(inFlight()).toEqual(['test', 'doc']);
  });

  it('stays with a node whose turn waits for a person, or is reset, until the turn has ended', () => {
    const run = started();
    for (const alias of ['dev', 'review']) tell(run, alias);
    run.submit({ type: 'node.reset', node: 'dev', by });
    expect(run.turn('review')).toBeUndefined();
    run.answers('dev', 'too late');
    expect(run.turn('review')).toBeUndefined();
    run.diffs('dev');
    expect(run.turn('review')).toBeDefined();
  });

  it('says whose it is, and who else works there', () => {
    const run = started();
    for (const alias of ['dev', 'doc']) tell(run, alias);
    expect(promptText(run, 'dev')).toContain(
      'isolation: this folder is yours; you take turns in it with review, test, and find what they left',
    );
    expect(promptText(run, 'doc')).toContain('isolation: this folder is yours alone');
    run.says('dev', 'done');
    tell(run, 'review');
    expect(promptText(run, 'review')).toContain(
      'isolation: this folder is that of dev; you take turns in it with dev, test, and find what they left',
    );
    expect(promptText(run, 'review')).toMatch(/alias=test .* workspace=dev\n/);
  });

  it('passes its checks for everybody who works there', () => {
    const run = started({ verify: ['npm test'] });
    const checked = (alias: string, failure: string | null) => {
      tell(run, alias);
      run.answers(alias, `${alias} works`);
      run.diffs(alias, ['docs/a.md']);
      run.settle(run.effects('verify.run', alias)[0]?.id ?? '', { ok: true, output: { failure } });
    };
    checked('doc', 'FAIL doc');
    checked('dev', 'FAIL dev');
    // It is told, and does not know what to do.
    run.says('dev', 'Hm.');
    expect(run.node('dev').verification).toBe('FAIL dev');
    checked('test', null);
    expect([run.node('dev').verification, run.node('doc').verification]).toEqual([null, 'FAIL doc']);
  });
});

describe('a node that is new in a run', () => {
  const SPAWN = { label: 'Tester', alias: 'tester', roleTemplate: 'reviewer' };
  const led = (workspace: 'own' | 'shared' = 'own'): Run => {
    const run = teamRun();
    run.start({
      nodes: [
        spec('lead', 'orchestrator', { workspace }),
        spec('dev', 'implementer'),
        spec('pair', 'implementer', { workspace: 'shared' }),
      ],
    });
    return run;
  };

  it.each([
    ['in the text', (run: Run, args: object) => run.says('lead', '', [['spawn_node', args as never]])],
    [
      'natively',
      (run: Run, args: object) => {
        const effect = run.turn('lead')?.id ?? '';
        run.submit({
          type: 'native.call',
          effect,
          call: { id: '1', name: 'spawn_node', input: args as never },
        });
      },
    ],
  ] as const)('is spawned into the folder of another by a call %s', (_name, call) => {
    const run = led();
    call(run, { ...SPAWN, workspace: 'Dev' });
    expect(run.node('tester').node.workspace).toEqual({ with: idOf(run, 'dev') });
    call(run, { ...SPAWN, alias: 'second', workspace: idOf(run, 'tester') });
    expect(run.node('second').node.workspace).toEqual({ with: idOf(run, 'dev') });
  });

  it.each<['own' | 'shared', object, unknown]>([
    ['own', {}, 'own'],
    ['own', { workspace: 'lead' }, 'lead'],
    ['shared', {}, 'shared'],
    ['shared', { workspace: 'pair' }, 'shared'],
    ['shared', { workspace: 'dev' }, 'dev'],
  ])('of a parent in its %s folder, with %j, works there: %s', (workspace, more, expected) => {
    const run = led(workspace);
    run.says('lead', '', [['spawn_node', { ...SPAWN, ...more }]]);
    const isNamed = expected !== 'own' && expected !== 'shared';
    const folder = isNamed ? { with: idOf(run, expected as string) } : expected;
    expect(run.node('tester').node.workspace).toEqual(folder);
  });

  it.each([
    ['nobody has', 'ghost', /workspace="ghost" is not known.*leave workspace out/],
    ['is the person’s and not its parent’s', 'pair', /pair .*person's own folder/],
  ])('gets no folder that %s', (_name, workspace, message) => {
    const run = led();
    run.says('lead', '', [['spawn_node', { ...SPAWN, workspace }]]);
    expect(nodesOf(run.state())).toHaveLength(3);
    expect(calls(run, 'lead')).toMatchObject([{ status: 'refused', text: expect.stringMatching(message) }]);
  });

  it('of one that works with another works there, too', () => {
    const run = teamRun();
    run.start({
      nodes: [spec('dev', 'implementer'), spec('lead', 'orchestrator', { workspace: { with: 'dev' } })],
    });
    run.says('lead', '', [['spawn_node', SPAWN]]);
    expect(run.node('tester').node.workspace).toEqual({ with: idOf(run, 'dev') });
  });

  it('is added by a person to a folder that is there', () => {
    const run = started();
    const { budget: _none, ...node } = spec('late', 'reviewer', { workspace: { with: 'test' } });
    expect(run.submit({ type: 'node.add', node, by })).toMatchObject({ ok: true });
    expect(run.node('late').node.workspace).toEqual({ with: idOf(run, 'dev') });
    const lost = { ...node, alias: 'lost', workspace: { with: 'ghost' } };
    expect(run.submit({ type: 'node.add', node: lost, by })).toMatchObject({
      ok: false,
      error: { code: 'E_TEAM_NODE', message: expect.stringContaining('"ghost"') },
    });
  });

  it.each([
    ['nobody', [spec('a', 'planner', { workspace: { with: 'ghost' } })], /unknown one: ghost/],
    [
      'each other',
      [
        spec('a', 'planner', { workspace: { with: 'b' } }),
        spec('b', 'planner', { workspace: { with: 'a' } }),
      ],
      /Nobody here has a folder: a → b → a/,
    ],
  ])('begins no run when it works with %s', (_name, nodes, message) => {
    expect(teamRun().start({ nodes, edges: [] })).toMatchObject({
      ok: false,
      error: { code: 'E_TEAM', message: expect.stringMatching(message) },
    });
  });
});

describe('whatever is asked of whom', () => {
  const ALIASES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
  const someTeam = fc.tuple(
    ...ALIASES.map((_, index) =>
      index === 0
        ? fc.constant<'own' | { readonly with: string }>('own')
        : fc.oneof(
            fc.constant<'own' | { readonly with: string }>('own'),
            fc.nat(index - 1).map((to) => ({ with: ALIASES[to] as string })),
          ),
    ),
  );
  const someAct = fc.oneof(
    { weight: 3, arbitrary: fc.record({ tell: fc.constantFrom(...ALIASES) }) },
    { weight: 5, arbitrary: fc.record({ settle: fc.nat(), files: fc.subarray(['docs/a.md', 'src/a.ts']) }) },
  );

  it('no two nodes of one folder are at work at once, and nobody waits longer than the others take', () => {
    let passed = 0;
    fc.assert(
      fc.property(
        someTeam,
        fc.array(someAct, { minLength: 10, maxLength: 80, size: 'max' }),
        fc.integer({ min: 1, max: 4 }),
        (workspaces, acts, parallel) => {
          const run = teamRun();
          const nodes = ALIASES.map((alias, index) =>
            spec(alias, 'reviewer', { workspace: workspaces[index] ?? 'own', capabilities: READS }),
          );
          // Nothing is learned here from nodes that repeat themselves.
          const stall = { repeats: 1_000 };
          run.start({ ...TEAM, nodes, limits: { parallel }, budget: { turns: 500 }, stall });
          const seen: Seen = { events: 0, waiting: new Map(), passed: 0 };
          for (const act of acts) {
            if ('tell' in act) tell(run, act.tell);
            else settleOne(run, act.settle, act.files);
            checkTurns(run, seen);
          }
          for (let step = 0; step < 1_000 && run.open().length > 0; step += 1) {
            settleOne(run, 0, []);
            checkTurns(run, seen);
          }
          // Nobody is left behind: all that was said has been heard.
          expect(run.open()).toEqual([]);
          for (const { messages, work } of nodesOf(run.state())) expect([messages, work]).toEqual([[], null]);
          passed += seen.passed;
        },
      ),
      runs(400, 3_000),
    );
    expect(passed).toBeGreaterThan(0);
  });

  /** Settles an open effect as its kind would: what a turn changed is nobody's right here, so it is set aside. */
  function settleOne(run: Run, pick: number, files: readonly string[]): void {
    const open = run.open();
    const effect = open[pick % Math.max(1, open.length)];
    if (!effect) return;
    const alias = run.state().nodes[effect.lane.split('/')[1] ?? '']?.node.alias ?? '';
    if (effect.kind === 'node.turn') run.answers(alias, `turn ${effect.id}`);
    else if (effect.kind === 'diff.take') run.diffs(alias, files);
    else run.settle(effect.id, { ok: true, output: {} });
  }

  /** Whoever waits for its folder sees each of the others who work there go first at most once. */
  function checkTurns(run: Run, seen: Seen): void {
    const nodes = nodesOf(run.state());
    const busy = nodes.filter(({ work }) => work !== null).map(({ node }) => hostOf(node));
    expect(new Set(busy).size).toBe(busy.length);
    const hosts = new Map(nodes.map(({ node }) => [node.id, hostOf(node)]));
    for (const event of run.events().slice(seen.events)) {
      if (event.type !== 'turn.started') continue;
      const { node: begun } = event.data;
      seen.waiting.delete(begun);
      for (const [id, first] of seen.waiting) {
        if (hosts.get(id) !== hosts.get(begun)) continue;
        expect([id, first.has(begun)]).toEqual([id, false]);
        first.add(begun);
        seen.passed += 1;
      }
    }
    seen.events = run.events().length;
    for (const { node, messages, work } of nodes)
      if (messages.length > 0 && work === null && !seen.waiting.has(node.id))
        seen.waiting.set(node.id, new Set());
  }
});

interface Seen {
  events: number;
  /** Who waits, and who has begun since. */
  readonly waiting: Map<string, Set<string>>;
  passed: number;
}
