import { expect, it } from 'vitest';
import { adopt, rendered } from '../../test/render.js';
import { mcpReader } from './mcp.js';
import { emptyCall, markerCalls } from './mcp-calls.js';

/** What a server answers, called as `cuebook import mcp --server` calls it. */
function recorded(
  names: readonly { readonly name: string; readonly required?: boolean }[],
  say: (given: Record<string, string>) => string,
) {
  const calls = [...markerCalls(names), emptyCall(names)];
  const renders = calls.map((given) => ({
    arguments: given,
    messages: [{ role: 'user', content: { type: 'text', text: say(given) } }],
  }));
  return JSON.stringify({
    prompts: [{ prompt: { name: 'review', title: 'Review', arguments: names }, renders }],
  });
}
const read = (text: string) => adopt(mcpReader, 'mcp.json', text);
const CODE = { name: 'code', required: true, description: 'What to review' };

it('a prompt of a server is rebuilt from its markers', async () => {
  const adopted = read(
    recorded([CODE, { name: 'tone' }], ({ code, tone = '' }) => `Review: ${code}, ${tone} and ${code}.`),
  );
  expect(adopted.sheets).toMatchObject([{ name: 'review', title: 'Review' }]);
  expect(adopted.sheets[0]?.inputs.get('code')).toMatchObject({
    required: true,
    description: 'What to review',
  });
  expect(adopted.sheets[0]?.inputs.get('tone')?.required).toBe(false);
  expect(await rendered(adopted, { code: 'x<y', tone: 'kind' })).toEqual([
    { role: 'user', content: 'Review: x<y, kind and x<y.' },
  ]);
});

it.each([
  { what: 'counts', say: ({ code = '' }: Record<string, string>) => `${code.length} characters: ${code}` },
  {
    what: 'decides',
    say: ({ code = '', tone }: Record<string, string>) =>
      tone === undefined ? `Short: ${code}` : `${tone}: ${code}`,
  },
  { what: 'shouts', say: ({ code = '' }: Record<string, string>) => code.toUpperCase() },
])('a prompt that is a program is refused: it $what', ({ say }) => {
  const adopted = read(recorded([CODE, { name: 'tone' }], say));
  expect(adopted.sheets).toEqual([]);
  expect(adopted.diagnostics).toMatchObject([{ code: 'W_IMPORT_MARKER', severity: 'warning', line: 1 }]);
});

it('other content than text is refused', () => {
  const text = JSON.stringify({
    prompts: [
      {
        prompt: { name: 'p' },
        renders: [{ arguments: {}, messages: [{ role: 'user', content: { type: 'image', data: '' } }] }],
      },
    ],
  });
  expect(read(text).diagnostics).toMatchObject([{ code: 'W_IMPORT_MEDIA' }]);
  expect(read('{"prompts": []}').diagnostics).toMatchObject([{ code: 'E_IMPORT_SYNTAX' }]);
});
