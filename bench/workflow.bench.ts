import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memorySource } from '@cuebook/files';
import { composeRequest, createRedactor } from '@cuebook/prompt';
import { composeTurn, loadPackage, readState, type Workflow, type WorkflowPackage } from '@cuebook/workflow';
import { measure, print } from './measure.js';

// Composing a turn of a run (20 nodes, 100 variables) against plain string templates that build the same text,
// and searching 10,000 files against `grep -r`.

const { loaded, workflow } = await makePackage();
const hash = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const redactor = createRedactor({
  roots: [['@project', '/home/kim/desk']],
  private: ['/home/kim'],
  names: ['kim'],
});

const turnOf = (n: number) => {
  const variables = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [
      `variable${at}`,
      at % 3 === 0 ? `value ${at} of turn ${n}` : n + at,
    ]),
  );
  const front = `schemaVersion: "1.1"\nworkflowType: w\ncurrentNodeId: n7\nstepsCompleted: [n0, n1]\nvariables: ${JSON.stringify(variables)}\n`;
  const read = readState(`---\n${front}---\n`);
  if (!read.ok) throw new Error(read.error.code);
  return { state: read.value.state, input: `What about number ${n}?` };
};
type Turn = ReturnType<typeof turnOf>;

const composed = ({ state, input }: Turn) =>
  composeTurn({
    package: loaded,
    mode: { kind: 'run', workflow, state, intent: 'continue', autopilot: false },
    activeAgentId: 'a',
    input,
  });

const blocksOf = (turn: Turn) => {
  const result = composed(turn);
  if (!result.ok) throw new Error(result.error.code);
  return result.value.blocks;
};
const textOf = (turn: Turn): string =>
  blocksOf(turn)
    .map(({ pieces }) => pieces.map(({ text }) => text).join(''))
    .join('\n\n');

const plain = plainTemplate();
const probe = turnOf(1);
if (plain(probe) !== textOf(probe)) throw new Error('The two do not build the same text');

const times = await measure({
  fresh: turnOf,
  contenders: [
    { name: 'plain string templates', run: plain },
    { name: 'composeTurn', run: composed },
    { name: 'composeTurn, as one text', run: textOf },
    {
      name: 'composeTurn and every gate (redact, forge, leak)',
      run: (turn: Turn) => composeRequest({ blocks: blocksOf(turn), hash, redactor }),
    },
  ],
});
print(`a run-mode turn, 20 nodes, 100 variables, ${Buffer.byteLength(plain(probe))} bytes`, times);
const base = times.get('plain string templates') ?? 1;
console.log(
  `  composeTurn costs ${((times.get('composeTurn') ?? 0) / base).toFixed(2)} of plain templates (goal: at most 3)`,
);

/** Plain templates with everything that does not change between turns prepared. */
function plainTemplate(): (turn: Turn) => string {
  const [rules = '', policy = '', persona = ''] = blocksOf(turnOf(0)).map(({ pieces }) =>
    pieces.map(({ text }) => text).join(''),
  );
  const directive =
    blocksOf(turnOf(0))[3]
      ?.pieces.map(({ text }) => text)
      .join('') ?? '';
  const protocol = /\n\nProtocol:[\s\S]*?(?=\n\nSTATE_SUMMARY)/.exec(directive)?.[0] ?? '';
  return ({ state, input }) => {
    const id = state.currentNodeId;
    const node = workflow.nodes.get(id);
    const summary = {
      currentNodeId: id,
      stepsCompleted: state.stepsCompleted,
      variables: state.variables,
      decisionLogCount: state.decisionLog.length,
      artifacts: state.artifacts,
    };
    const outputs = (node?.node.outputs ?? []).map((path) => `\n  - ${path} -> @project/${path}`).join('');
    const next = (node?.next ?? [])
      .map(({ edge: { to, label, isDefault, conditionText } }) => {
        const rest = `${isDefault ? ', default=true' : ''}${conditionText === undefined ? '' : `, conditionText=${JSON.stringify(conditionText)}`}`;
        return `\n  - ${to} (label=${label}${rest})`;
      })
      .join('');
    return `${rules}\n\n${policy}\n\n${persona}\n\nRUN_DIRECTIVE
- runType: bmad-micro
- intent: continue
- workflow: ${workflow.id}
- state: @state/workflow.md
- graph: @pkg/${workflow.graphFile}
- artifactsRoot: @project/artifacts/
- currentNodeId: ${id}
- effectiveAgentId: ${node?.node.agentId ?? 'a'}
- autopilot: false${protocol}\n\nSTATE_SUMMARY\n${JSON.stringify(summary, null, 2)}\n\nNODE_BRIEF
- currentNodeId: ${id} (type=${node?.node.type})
- stepFile: @pkg/${node?.file}
- outputsMap:${outputs}
- allowedNext:${next}\n\nUSER_INPUT\n- forNodeId: ${id}\n${input}`;
  };
}

async function makePackage(): Promise<{ readonly loaded: WorkflowPackage; readonly workflow: Workflow }> {
  const ids = Array.from({ length: 20 }, (_, at) => `n${at}`);
  const typeOf = (at: number): string => (at === 19 ? 'end' : at % 5 === 2 ? 'decision' : 'step');
  const edges = ids
    .slice(0, -1)
    .flatMap((from, at) => [
      { from, to: ids[at + 1], label: 'next', isDefault: true },
      ...(at < 17
        ? [{ from, to: ids[at + 2], label: 'skip', conditionText: `variables.v${at} == 'x'` }]
        : []),
    ]);
  const nodes = ids.map((id, at) => ({
    id,
    type: typeOf(at),
    file: `steps/${id}.md`,
    outputs: [`artifacts/${id}.md`],
  }));
  const persona = {
    role: 'Does the work',
    identity: 'One who does',
    communication_style: 'Short',
    principles: ['One', 'Two'],
  };
  const texts: Record<string, string> = {
    'bmad.json': JSON.stringify({
      schemaVersion: '1.1',
      name: 'w',
      version: '1.0.0',
      entry: { workflow: 'w.md', graph: 'g.json', agents: 'a.json' },
    }),
    'w.md': '',
    'g.json': JSON.stringify({ schemaVersion: '1.1', entryNodeId: 'n0', nodes, edges }),
    'a.json': JSON.stringify({
      schemaVersion: '1.1',
      agents: [{ id: 'a', metadata: { name: 'A', title: 'B', icon: '*' }, persona }],
    }),
  };
  for (const [at, id] of ids.entries()) {
    texts[`steps/${id}.md`] = `---\nschemaVersion: 1.1\nnodeId: ${id}\ntype: ${typeOf(at)}\n---\n`;
  }
  const source = memorySource(texts);
  const result = source.ok ? await loadPackage(source.value) : undefined;
  if (result?.ok !== true) throw new Error(JSON.stringify(result?.diagnostics));
  const found = result.value.workflows.get('w');
  if (found === undefined) throw new Error('no workflow');
  return { loaded: result.value, workflow: found };
}

function searchTree(): void {
  const root = mkdtempSync(join(tmpdir(), 'bench-search-'));
  try {
    const words = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda'.split(' ');
    let seed = 1;
    const word = (): string => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      return words[seed % words.length] ?? '';
    };
    for (let at = 0; at < 10_000; at += 1) {
      const folder = join(root, at < 1000 ? 'small' : 'rest', `d${at % 100}`);
      mkdirSync(folder, { recursive: true });
      const lines = Array.from({ length: 20 + (at % 200) }, () => Array.from({ length: 6 }, word).join(' '));
      writeFileSync(
        join(folder, `f${at}.md`),
        `${lines.join('\n')}\n${at === 5757 ? 'needle in the hay\n' : ''}`,
      );
    }
    report(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** A process of its own, with nothing but the package: what it took and the most memory it had. */
const SEARCHER = `import { openFolder } from '@cuebook/files';
const start = performance.now();
const folder = await openFolder(process.argv[1], { access: 'ro' });
const found = await folder.value.search('.', { text: 'needle in the hay', before: 1, after: 1 });
const ms = performance.now() - start;
console.log(JSON.stringify({ ms, files: found.value.filesSearched, matches: found.value.matches.length, peak: process.resourceUsage().maxRSS }));`;

function report(root: string): void {
  const ours = (
    folder: string,
  ): { ms: number; files: number; matches: number; peak: number; whole: number } => {
    const start = performance.now();
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', SEARCHER, folder], {
      cwd: process.cwd(),
    });
    return { ...JSON.parse(out.toString()), whole: performance.now() - start };
  };
  let grep = Number.POSITIVE_INFINITY;
  let search = Number.POSITIVE_INFINITY;
  let whole = Number.POSITIVE_INFINITY;
  let last = ours(root);
  for (let round = 0; round < 20; round += 1) {
    const start = performance.now();
    spawnSync('grep', ['-r', 'needle in the hay', root]);
    grep = Math.min(grep, performance.now() - start);
    last = ours(root);
    search = Math.min(search, last.ms);
    whole = Math.min(whole, last.whole);
  }
  const small = ours(join(root, 'small'));
  console.log(`search of ${last.files} files (${last.matches} match), best of 20 in a fresh process each`);
  console.log(`  grep -r                       ${grep.toFixed(0).padStart(6)} ms`);
  console.log(
    `  Files.search                  ${search.toFixed(0).padStart(6)} ms  ${(grep / search).toFixed(2)} of grep's speed (goal: a third)`,
  );
  console.log(
    `  the same, with Node starting  ${whole.toFixed(0).padStart(6)} ms  ${(grep / whole).toFixed(2)}`,
  );
  console.log(
    `  peak memory ${(last.peak / 1024).toFixed(0)} MB; of ${small.files} files ${(small.peak / 1024).toFixed(0)} MB`,
  );
}

searchTree();
