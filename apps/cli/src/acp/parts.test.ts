import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { spoken } from '../../test/acp.js';
import { kindOf } from './calls.js';
import { changesIn, sidesOf } from './patch.js';
import { permissionOf, replyOf } from './permission.js';
import { createPlan } from './plan.js';
import { promptText } from './prompt-text.js';
import { createSpeech } from './speech.js';

const CALL = '{"tool_call":{"name":"send_handoff","args":{}}}';

/** Without white space: what stands between words is for the eye. */
const bare = (text: string): string => text.replace(/\s/g, '');

describe('the words of turns', () => {
  const line = fc.oneof(fc.constantFrom(CALL, ` ${CALL} `, '{', '{"tool', ''), fc.string({ maxLength: 12 }));
  const turn = fc.record({ lines: fc.array(line, { maxLength: 6 }), isHeard: fc.boolean() });

  it('are told once and in order, one turn at a time, without calls, however they are cut and mixed', () => {
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(1_000), { minLength: 40, maxLength: 40 }),
        (turns, dice) => {
          const texts = turns.map(({ lines }) => lines.join('\n'));
          const kept = turns.map(({ lines }) =>
            lines.filter((each) => !/^\s*\{\s*"tool_call"/.test(each)).join('\n'),
          );
          const speech = createSpeech();
          const told: { readonly id: string; readonly text: string }[] = [];
          const take = (updates: ReturnType<typeof speech.say>): void => {
            for (const update of updates)
              if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
                told.push({ id: update.messageId ?? '', text: update.content.text });
          };
          const left = texts.map((text, index) => (turns[index]?.isHeard ? text : ''));
          const open = new Set(texts.keys());
          let throws = 0;
          const roll = (): number => dice[throws++ % dice.length] ?? 0;
          while (open.size > 0) {
            const index = [...open][roll() % open.size] ?? 0;
            const id = `turn_${index}`;
            const text = left[index] ?? '';
            // A die that falls so cuts the turn off for watchers: the record has the rest.
            if (text === '' || roll() % 7 === 0) {
              take(speech.end(id, { text: kept[index] ?? '', name: undefined }));
              open.delete(index);
              continue;
            }
            const cut = 1 + (roll() % text.length);
            take(speech.say(id, { kind: 'text', text: text.slice(0, cut), name: undefined }));
            left[index] = text.slice(cut);
          }
          for (const [index, text] of kept.entries()) {
            const said = told.filter(({ id }) => id === `turn_${index}`).map((each) => each.text);
            expect(bare(said.join(''))).toBe(bare(text));
          }
          const order = told.map(({ id }) => id).filter((id, at, all) => id !== all[at - 1]);
          expect(new Set(order).size).toBe(order.length);
        },
      ),
      runs(1_000, 20_000),
    );
  });

  it('name who speaks where somebody else does', () => {
    const speech = createSpeech();
    const say = (turn: string, name: string) => [
      ...speech.say(turn, { kind: 'text', text: 'Hi.', name }),
      ...speech.end(turn),
    ];
    expect(spoken([...say('a', 'lead'), ...say('b', 'lead'), ...say('c', 'dev')])).toBe(
      '**lead**\n\nHi.\n\nHi.\n\n**dev**\n\nHi.',
    );
  });
});

describe('a decision of a person', () => {
  it('shows every field of what it allows', () => {
    const changes = [{ file: 'a.md', patch: '@@ -1 +1 @@\n-w\n+x' }];
    for (const input of [
      { cmd: 'ls', command: 'touch F' },
      { path: 'a.md', content: 'x', command: 'touch F' },
      { command: 'make', cwd: 'touch F' },
      { path: 'a.md', note: 'touch F' },
    ])
      for (const told of [[], changes]) {
        const wait = {
          id: 'w',
          tool: 'edit',
          input,
          name: null,
          reason: null,
          for: 'approval',
          changes: told,
        };
        const { toolCall } = permissionOf(wait as never, { sessionId: 's', call: 'c', folder: '/p' });
        expect(`${toolCall.title} ${JSON.stringify(toolCall.content)}`).toContain('touch F');
      }
  });

  it('lets nothing through but the very option that allows', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('Allow', 'allow ', 'allow_once', 'yes', '__proto__')),
        (optionId) => {
          const reply = replyOf({ for: 'approval' }, { outcome: { outcome: 'selected', optionId } });
          const isOffered = ['allow', 'grant', 'deny'].includes(optionId);
          expect(reply === undefined).toBe(!isOffered);
        },
      ),
      runs(300, 5_000),
    );
    expect(replyOf({ for: 'approval' }, { outcome: { outcome: 'cancelled' } })).toBeUndefined();
    expect(replyOf({ for: 'approval' }, { outcome: { outcome: 'selected', optionId: 'deny' } })).toEqual({
      decision: 'deny',
    });
    expect(
      replyOf({ for: 'outcome' }, { outcome: { outcome: 'selected', optionId: 'allow' } }),
    ).toBeUndefined();
  });
});

describe('the sides of a change', () => {
  const words = fc.array(
    fc.string().map((text) => text.replace(/[\r\n]/g, ' ')),
    { maxLength: 5 },
  );

  it('are those of a file that comes or goes as a whole, and end as it ends', () => {
    const sides = (patch: string) => {
      const { before, after } = sidesOf('a', patch);
      return [before, after];
    };
    const end = '\\ No newline at end of file';
    expect(sides('+a\n+b')).toEqual([null, 'a\nb\n']);
    expect(sides(`+a\n+b\n${end}`)).toEqual([null, 'a\nb']);
    expect(sides('-a\n-b')).toEqual(['a\nb\n', '']);
    expect(sides(`-a\n${end}\n+b`)).toEqual(['a', 'b\n']);
    expect(sides(`@@ -1,2 +1,2 @@\n a\n-b\n+c\n${end}`)).toEqual(['a\nb\n', 'a\nc']);
    expect(sides('')).toEqual(['', '']);
  });

  it('are the lines before and after, of every file', () => {
    fc.assert(
      fc.property(words, words, words, (same, gone, come) => {
        const patch = [
          '@@ -1,9 +1,9 @@',
          ...same.map((w) => ` ${w}`),
          ...gone.map((w) => `-${w}`),
          ...come.map((w) => `+${w}`),
        ].join('\n');
        const text = (all: readonly string[]): string => all.map((each) => `${each}\n`).join('');
        const sides = { before: text([...same, ...gone]), after: text([...same, ...come]) };
        expect(sidesOf('a.txt', patch)).toEqual({ file: 'a.txt', ...sides });
        const diff = `diff --git a/x b/x\n--- a/x\n+++ b/x\n${patch}\ndiff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+new\n`;
        expect(changesIn(diff)).toEqual([
          { file: 'x', ...sides },
          { file: 'n', before: null, after: 'new\n' },
        ]);
      }),
      runs(200, 5_000),
    );
  });
});

describe('a prompt', () => {
  it('names files from the project, and fences what is put in so that it cannot end the fence', () => {
    expect(
      promptText(
        [
          { type: 'text', text: 'Look at' },
          { type: 'resource_link', name: 'a', uri: 'file:///srv/desk/src/a%20b.ts#L3' },
          { type: 'resource_link', name: 'x', uri: 'zed:///thread/1' },
        ],
        '/srv/desk',
      ),
    ).toBe('Look at [src/a b.ts] [zed:///thread/1]');
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', '\n', 'a', ' ') }), (text) => {
        const said = promptText(
          [{ type: 'resource', resource: { uri: 'file:///srv/desk/a.md', text } }],
          '/srv/desk',
        );
        const [, fence = ''] = /^a\.md\n(`+)\n/.exec(said ?? '') ?? [];
        expect(fence.length).toBeGreaterThanOrEqual(3);
        expect(text).not.toContain(fence);
      }),
      runs(200, 5_000),
    );
    expect(promptText([{ type: 'image', data: '', mimeType: 'image/png' }], '/srv/desk')).toBeUndefined();
  });
});

it('a tool has the kind that its name says', () => {
  const KINDS = {
    'fs.read': 'read',
    'fs.apply_patch': 'edit',
    command: 'execute',
    'web.search': 'search',
    pay: 'other',
    bread: 'other',
  };
  for (const [tool, kind] of Object.entries(KINDS)) expect(kindOf(tool)).toBe(kind);
});

it('the plan of a team is its goal and what is handed over', () => {
  const plan = createPlan((lane) => ({ n1: 'lead', n2: 'dev' })[lane]);
  const take = (type: string, data: object) => plan.take({ type, data: data as never });
  expect(take('node.added', {})).toEqual([]);
  take('run.started', { goal: { text: 'Speak German.' } });
  take('envelope.sent', {
    id: 'e',
    kind: 'handoff',
    toNodeId: 'n2',
    payload: { message: 'Add German.\nNow.' },
  });
  take('turn.started', { node: 'n2' });
  expect(take('turn.closed', { node: 'n2', reason: 'done' })).toMatchObject([
    {
      entries: [
        { content: 'Speak German.', status: 'in_progress' },
        { content: 'dev: Add German. …', status: 'completed' },
      ],
    },
  ]);
  expect(take('turn.closed', { node: 'n2', reason: 'done' })).toEqual([]);
});
