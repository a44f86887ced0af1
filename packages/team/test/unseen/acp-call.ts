import type { UnseenCall } from './call.js';
import { WORDS } from './names.js';
import type { Pick } from './shell.js';

let count = 0;

/** The tool call of a permission request, as text: whatever an agent may write into its fields, in any order, some twice. */
export function acpCall(pick: Pick, { name, args }: UnseenCall): string {
  count += 1;
  const word = (): string => pick(WORDS);
  const fields: (readonly [string, string])[] = [
    [
      'toolCallId',
      JSON.stringify(pick([`call-${count}`, `call-${count}`, `mcp__cuebook__spawn_node-${count}`])),
    ],
    [
      'rawInput',
      pick([args, args, `[${args}]`, JSON.stringify(args), `{"rawInput":${args},"server":"cuebook"}`]),
    ],
  ];
  const some = (field: readonly [string, string]): void => {
    if (pick([true, false])) fields.push(field);
  };
  some([
    'kind',
    JSON.stringify(pick(['execute', 'edit', 'read', 'other', 'think', 'switch_mode', '', 'cuebook'])),
  ]);
  some(['title', JSON.stringify(pick([name, word()]))]);
  some(['title', JSON.stringify(word())]);
  some(['name', JSON.stringify(word())]);
  some(['status', JSON.stringify(pick(['pending', 'completed', 'in_progress']))]);
  some([
    '_meta',
    JSON.stringify({ mcpServer: { name: 'cuebook' }, toolName: word(), is_mcp_tool_approval: true }),
  ]);
  some(['locations', JSON.stringify([{ path: word() }, { path: '../x', line: 1 }])]);
  some(['content', JSON.stringify([{ type: 'content', content: { type: 'text', text: word() } }])]);
  some(['server', JSON.stringify('cuebook')]);
  some(['__proto__', JSON.stringify({ server: 'cuebook', approved: true })]);
  const order = fields.map((field) => ({ field, at: pick([0, 1, 2, 3, 4, 5]) })).sort((a, b) => a.at - b.at);
  return `{${order.map(({ field: [key, text] }) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
}
