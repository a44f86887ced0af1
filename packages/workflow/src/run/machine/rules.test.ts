import { describe, expect, it } from 'vitest';
import { mergePolicies, type ToolSettings } from '../../policy/policy.js';
import { changesState } from '../../tool/catalog.js';
import type { ComposedFacts } from './facts.js';
import { rulesOf } from './rules.js';
import { NEW_RUN } from './state.js';

const COMPOSED: ComposedFacts = {
  effect: 'turn_1',
  agentId: 'sm',
  nodeId: 'a',
  intent: 'continue',
  isComplete: false,
  isClosing: false,
  stateSha256: null,
  voice: 'rehearsal',
  messages: 0,
};
const input = { policyOf: () => mergePolicies(), serverTools: [] };
const rules = (composed: ComposedFacts | null) => rulesOf({ ...NEW_RUN, composed }, 'model', input);

describe('the tools of a turn', () => {
  it('are those that it was told of', () => {
    expect(rules(COMPOSED).allowed).toContain('fs.write');
    expect(rules(COMPOSED).allowed).not.toContain('terminal.run');
    const readOnly = { ...input, policyOf: () => mergePolicies({ fs: { enabled: false } }) };
    expect(rulesOf({ ...NEW_RUN, composed: COMPOSED }, 'model', readOnly).allowed).toEqual(['ui.ask_user']);
  });

  it('are none before the first turn and in the closing one', () => {
    expect(rules(null).allowed).toEqual([]);
    expect(rules({ ...COMPOSED, isComplete: true, isClosing: true }).allowed).toEqual([]);
  });

  it('of a server are asked about where the operator says so, and nothing else is', () => {
    const tool = { name: 'mcp.notes.add', server: 'notes', own: 'add', description: '', parameters: {} };
    const mcp = { enabled: true, approval: 'always' } as const;
    const permits = (settings: ToolSettings) => {
      const asked = {
        policyOf: () => mergePolicies(settings, { mcp: { enabled: true } }),
        serverTools: [tool],
      };
      const { permit } = rulesOf({ ...NEW_RUN, composed: COMPOSED }, 'model', asked);
      return ['mcp.notes.add', 'fs.write'].map((name) => permit?.(name, {}));
    };
    const reason = 'It is a tool of the MCP server notes.';
    expect(permits({ mcp })).toEqual([{ kind: 'ask', reason }, { kind: 'allow' }]);
    for (const approval of ['never', undefined] as const)
      expect(permits({ mcp: { ...mcp, approval } })).toEqual([{ kind: 'allow' }, { kind: 'allow' }]);
  });

  it.each([
    ['fs.apply_patch', { path: 'x' }, true],
    ['fs.write', { path: '@state/workflow.md' }, true],
    ['fs.write', { path: ' @STATE/./Workflow.md' }, true],
    ['fs.write', { path: '@project/a.md' }, false],
    ['fs.read', { path: '@state/workflow.md' }, false],
    ['fs.write', null, false],
  ])('%s %o changes the state: %s', (tool, args, expected) => {
    expect(changesState(tool, args)).toBe(expected);
  });
});
