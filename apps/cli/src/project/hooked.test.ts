import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { commitAll } from '../../test/git.js';
import { PROJECT } from '../../test/mcp.js';

const hook = (kind: string, id: string, body: string): string =>
  `import { defineHook } from '@cuebook/define';
export default defineHook({ hook: '${kind}', id: '${id}', execute: async (state, ...args) => { ${body} } });
`;

/** Two prompts and an agent, of which all but one prompt have a hook. */
const desk = (kind: string, body: string, more: Readonly<Record<string, string>> = {}) => {
  const prompt = PROJECT['agents/prompts/librarian.ts'] ?? '';
  return folderWith({
    ...PROJECT,
    'agents/prompts/librarian.ts': prompt.replace(
      "model: 'everyday',",
      "model: 'everyday', includeChat: true, hooks: ['h'],",
    ),
    'agents/prompts/plain.ts': prompt.replace("'librarian'", "'plain'"),
    'agents/agents/counter.ts': `import { defineAgent } from '@cuebook/define';
export default defineAgent({ name: 'counter', sideA: { prompt: 'librarian' } });
`,
    'agents/hooks/h.ts': hook(kind, 'h', body),
    ...more,
  });
};

interface Told {
  readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
}

/** Hooks that have a say in the request, and what each adds to it. */
const CHANGES = [
  ['after_system_message', "return args[0] + ' Mind the WORD.';"],
  ['filter_messages', "return args[0].map((m) => ({ ...m, content: m.content + ' WORD' }));"],
  ['prefilter_llm_history', "return [{ role: 'user', content: 'WORD' }, ...args[0]];"],
] as const;

describe('check runs hooks with the examples of the author', () => {
  const codes = async (cwd: string) => {
    const { stdout, code } = await cuebook(['check', '--json'], { cwd });
    const { diagnostics } = JSON.parse(stdout) as Told;
    return { code, told: diagnostics.filter((each) => !each.code.startsWith('W_SAMPLE')) };
  };

  it.each(CHANGES.slice(0, 1))(
    '%s: says nothing of one that works, and tells of one that fails',
    async (kind, body) => {
      expect(await codes(desk(kind, body))).toEqual({ code: 0, told: [] });
      const { code, told } = await codes(desk(kind, "throw new Error('no such shelf');"));
      expect([code, told.map((each) => each.code)]).toEqual([0, ['W_HOOK_FAILED']]);
      expect(told[0]?.message).toContain(`The hook "h" (${kind}) failed`);
    },
  );

  it('tells of words that a hook makes, and of a hook that answers another shape', async () => {
    const made = await codes(desk('after_system_message', 'return args[0] + Date.now();'));
    expect(made.told.map((each) => each.code)).toEqual(['W_HOOK_WORDS']);
    const odd = await codes(desk('filter_messages', 'return 7;'));
    expect(odd.told.map((each) => each.code)).toEqual(['W_HOOK_EMPTY']);
  });
});

describe('the reach of a diff', () => {
  it.each(CHANGES.slice(0, 2))(
    '%s: an edit of a hook reaches every prompt that has it, and no other',
    async (kind, body) => {
      const cwd = desk(kind, body);
      commitAll(cwd, 'before');
      writeFileSync(join(cwd, 'agents/hooks/h.ts'), hook(kind, 'h', body.replace('WORD', 'OTHER')));
      const { stdout, stderr } = await cuebook(
        ['diff', 'prompt:librarian@HEAD', 'prompt:librarian', '--input', 'Hello', '--json'],
        { cwd },
      );
      expect(stderr).toBe('');
      const { reach } = JSON.parse(stdout) as { reach: readonly { target: string; change: string }[] };
      const reached = reach.map(({ target }) => target).sort();
      expect(reached).toEqual(
        kind === 'filter_messages' ? ['agent:counter'] : ['agent:counter', 'prompt:librarian'],
      );
    },
  );
});

describe('a case with a conversation', () => {
  const CASES = `target: prompt:librarian
cases:
  - name: talks
    input: And now?
    conversation: [{ user: Hello }, { assistant: Yes? }]
    request: { contains: ['WORD', 'Hello', 'Yes?', 'And now?'] }
`;
  const test = async (cwd: string) => {
    const { stdout, code } = await cuebook(['test', '--json'], { cwd });
    return { code, ...(JSON.parse(stdout) as Told & { cases: readonly { failed: readonly object[] }[] }) };
  };

  it.each(CHANGES)('%s has its say', async (kind, body) => {
    const { code, cases, diagnostics } = await test(desk(kind, body, { 'tests/talk.test.yaml': CASES }));
    expect([code, cases[0]?.failed, diagnostics]).toEqual([0, [], []]);
  });

  it.each(['before_create_message', 'before_store_tool_result', 'after_tool_call_success'])(
    '%s has none, and that is said',
    async (kind) => {
      const cases = CASES.replace("'WORD', ", '');
      const { code, diagnostics } = await test(
        desk(kind, 'return args.at(-1);', { 'tests/talk.test.yaml': cases }),
      );
      expect(code).toBe(0);
      expect(diagnostics).toMatchObject([{ code: 'W_HOOK_NOT_RUN', file: 'tests/talk.test.yaml' }]);
    },
  );
});
