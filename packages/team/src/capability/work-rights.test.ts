import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import { makeBench, must, own, photograph, place } from '../../../workspace/test/bench.js';
import { nodeWith } from '../../test/rights.js';
import type { Capabilities } from './capabilities.js';
import type { GlobalMode } from './global-mode.js';
import { workRights } from './work-rights.js';

const TREE = { 'src/a.ts': 'a\n', 'docs/x.md': 'x\n' };
const CODE = ['write_file', { path: 'src/a.ts', content: 'x' }] as const;
const DOCS = ['write_file', { path: 'docs/p/y.md', content: 'y' }] as const;
const DELETION = ['delete_file', { path: 'src/a.ts' }] as const;
const COMMAND = ['command', { cmd: 'true' }] as const;

async function use(
  [tool, input]: readonly [string, Readonly<Record<string, string>>],
  given: Partial<Capabilities>,
  globalMode: GlobalMode,
) {
  const { workspaces } = makeBench({ tree: TREE });
  const { folder } = must(await workspaces.prepare({ ...place(own()), turn: 1 }));
  const rights = workRights(nodeWith('implementer', given), globalMode);
  const before = photograph(folder);
  const answer = await workspaces.callTool(place(own()), { tool, input, rights });
  return { answer, before, after: photograph(folder) };
}

describe('a work tool of a node', () => {
  it('writes documents in PLANNING, also the first', async () => {
    const { answer, after } = await use(DOCS, {}, 'PLANNING');
    expect(must(answer)).toBe('docs/p/y.md written');
    expect(after['docs/p/y.md']).toBe('  y');
  });

  it.each(
    inTurn(
      [
        ['code in PLANNING', CODE, {}, 'PLANNING', 'PLANNING'],
        ['a deletion in PLANNING', DELETION, {}, 'PLANNING', 'PLANNING'],
        ['a command in PLANNING', COMMAND, {}, 'PLANNING', 'PLANNING'],
        ['documents without the right', DOCS, { writeDocs: false }, 'IMPLEMENTATION', 'writeDocs=false'],
        ['code without the right', CODE, { writeCode: false }, 'IMPLEMENTATION', 'writeCode=false'],
        [
          'a command without the right',
          COMMAND,
          { runCommands: false },
          'IMPLEMENTATION',
          'runCommands=false',
        ],
        [
          'any write of one that delegates',
          DOCS,
          { delegateOnly: true },
          'IMPLEMENTATION',
          'delegateOnly=true',
        ],
      ] as const,
      4,
    ),
  )('is refused %s, and changes nothing', async (_, call, given, globalMode, reason) => {
    const { answer, before, after } = await use(call, given, globalMode);
    expect(answer).toMatchObject({ ok: false, error: { code: 'E_WORKSPACE_TOOL' } });
    expect(JSON.stringify(answer)).toContain(reason);
    expect(after).toEqual(before);
  });
});
