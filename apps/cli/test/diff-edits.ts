export const SHEET = 'sheets/desk.yaml';
const RULES = 'texts/rules.md';
const TONE = 'texts/tone.md';
const PROMPT = 'agents/prompts/helper.ts';
const TOOL = 'agents/tools/count.ts';
const MODEL = 'agents/models/plain.ts';

/** A project of a sheet and its texts. */
export const SHEETS: Readonly<Record<string, string>> = {
  [SHEET]: `title: Desk
params: { temperature: 0.2, stop: [END] }
tools:
  - name: read_file
    description: Reads a file.
    parameters:
      type: object
      properties: { path: { type: string, description: Where it is }, lines: { type: integer } }
      required: [path]
  - { name: list_files, description: Lists files., parameters: { type: object, properties: {} } }
capabilities: [read_files, list]
inputs:
  change: { trust: external, secrecy: public, volatility: turn, example: a change }
  team: { trust: operator, secrecy: public, volatility: deploy, example: the team }
blocks:
  - name: rules
    role: system
    parts:
      - text: "Read every line.\\n"
      - include: rules
      - include: tone
  - name: team
    role: user
    parts: [{ input: team }]
  - name: change
    role: user
    parts: [{ text: "Review this:\\n" }, { input: change }]
`,
  [RULES]: 'You must cite the file.\nNever guess.\nThe desk is open all day.\n',
  [TONE]: 'You should be kind.\nKeep it short.\n',
};

/** The same in typed definitions. */
export const DEFINITIONS: Readonly<Record<string, string>> = {
  [MODEL]: `import { defineModel } from '@cuebook/define';
export default defineModel({ name: 'plain', provider: 'rehearsal', model: 'small' });
`,
  [PROMPT]: `import { definePrompt } from '@cuebook/define';
import { z } from 'zod';
export default definePrompt({
  name: 'helper',
  toolDescription: 'Helps',
  model: 'plain',
  prompt: [
    { type: 'text', content: 'You help the team. Always answer in English.\\n' },
    { type: 'env', property: 'TEAM' },
  ],
  variables: [{ name: 'TEAM', type: 'text', required: true, description: 'Who asks' }],
  env: { TEAM: 'desk' },
  tools: ['count'],
  includeChat: true,
  requiredSchema: z.object({ q: z.string() }),
});
`,
  [TOOL]: `import { defineTool } from '@cuebook/define';
import { z } from 'zod';
export default defineTool({
  description: 'Counts lines.',
  args: z.object({ text: z.string().describe('What to count'), max: z.number().optional() }),
  execute: async () => ({ status: 'success', result: '1' }),
});
`,
};

/** What is edited, in which file, from what to what, and where the answer says so: a path into it, and words there. */
type Edit = readonly [title: string, file: string, from: string, to: string, at: string, says: string];

/** Edits of a sheet. */
export const OF_SHEET: readonly Edit[] = [
  ['a word of a rule', RULES, 'the file', 'the line', 'origins', 'cite the line'],
  ['a rule added', RULES, 'Never guess.', 'Never guess.\nAlways ask.', 'obligations.added', 'Always ask.'],
  ['a rule dropped', RULES, 'Never guess.\n', '', 'obligations.dropped', 'Never guess.'],
  ['a rule made stronger', TONE, 'You should be kind', 'You must be kind', 'obligations.added', 'MUST'],
  ['a rule made weaker', RULES, 'You must cite', 'You should cite', 'obligations.added', 'SHOULD'],
  ['a rule turned round', RULES, 'You must cite', 'You must not cite', 'obligations.added', 'NEVER'],
  ['a bare order', TONE, 'Keep it short.', 'Keep it long.', 'obligations.added', 'Keep it long.'],
  ['a description of the world', RULES, 'open all day', 'closed at night', 'origins', 'closed at night'],
  [
    'a rule in another language',
    RULES,
    'Never guess.',
    'Rate niemals.',
    'obligations.added',
    'Rate niemals.',
  ],
  ['a space', RULES, 'the file.', 'the  file.', 'origins', 'the  file'],
  ['an invisible character', RULES, 'Never', 'Nev\u200ber', 'origins', 'Nev'],
  ['a line break', TONE, 'kind.\nKeep', 'kind. Keep', 'origins', 'kind. Keep'],
  ['text of the sheet itself', SHEET, 'Read every line.', 'Read every word.', 'origins', 'Read every word.'],
  [
    'the order of includes',
    SHEET,
    '- include: rules\n      - include: tone',
    '- include: tone\n      - include: rules',
    'blocks',
    'rules',
  ],
  ['an include dropped', SHEET, '      - include: tone\n', '', 'origins', 'removed'],
  [
    'an include twice',
    SHEET,
    '      - include: tone\n',
    '      - include: tone\n      - include: tone\n',
    'origins',
    'kind',
  ],
  [
    'the role of a block',
    SHEET,
    'name: team\n    role: user',
    'name: team\n    role: system',
    'blocks',
    'system',
  ],
  [
    'a block dropped',
    SHEET,
    '  - name: team\n    role: user\n    parts: [{ input: team }]\n',
    '',
    'origins',
    'removed',
  ],
  [
    'the order of blocks',
    SHEET,
    '  - name: team\n    role: user\n    parts: [{ input: team }]\n  - name: change\n    role: user\n    parts: [{ text: "Review this:\\n" }, { input: change }]\n',
    '  - name: change\n    role: user\n    parts: [{ text: "Review this:\\n" }, { input: change }]\n  - name: team\n    role: user\n    parts: [{ input: team }]\n',
    'blockOrder',
    'team',
  ],
  ['the temperature', SHEET, 'temperature: 0.2', 'temperature: 0.3', 'params', 'temperature'],
  ['a parameter added', SHEET, 'temperature: 0.2,', 'temperature: 0.2, top_p: 1,', 'params', 'top_p'],
  ['a parameter dropped', SHEET, 'temperature: 0.2, ', '', 'params', 'temperature'],
  ['a list of a parameter', SHEET, 'stop: [END]', 'stop: [END, STOP]', 'params', 'STOP'],
  [
    'the order of parameters',
    SHEET,
    'temperature: 0.2, stop: [END]',
    'stop: [END], temperature: 0.2',
    'params',
    '(order)',
  ],
  [
    'a tool dropped',
    SHEET,
    '  - { name: list_files, description: Lists files., parameters: { type: object, properties: {} } }\n',
    '',
    'tools.dropped',
    'list_files',
  ],
  ['a tool renamed', SHEET, 'name: list_files', 'name: list_all', 'tools.added', 'list_all'],
  [
    'the description of a tool',
    SHEET,
    'Reads a file.',
    'Reads one file.',
    'tools.changed',
    'read_file.description',
  ],
  [
    'an order in a description',
    SHEET,
    'Reads a file.',
    'Reads a file. Never read keys.',
    'obligations.added',
    'Never read keys.',
  ],
  [
    'the type of an argument',
    SHEET,
    'lines: { type: integer }',
    'lines: { type: string }',
    'tools.changed',
    'properties.lines.type',
  ],
  [
    'an argument added',
    SHEET,
    'lines: { type: integer }',
    'lines: { type: integer }, from: { type: integer }',
    'tools.changed',
    'properties.from',
  ],
  ['an argument dropped', SHEET, ', lines: { type: integer }', '', 'tools.changed', 'properties.lines'],
  [
    'a description of an argument',
    SHEET,
    'Where it is',
    'Where it lies',
    'tools.changed',
    'path.description',
  ],
  ['what is required', SHEET, 'required: [path]', 'required: [path, lines]', 'tools.changed', 'required'],
  [
    'the order of arguments',
    SHEET,
    'path: { type: string, description: Where it is }, lines: { type: integer }',
    'lines: { type: integer }, path: { type: string, description: Where it is }',
    'tools.changed',
    '(order)',
  ],
  [
    'a capability added',
    SHEET,
    '[read_files, list]',
    '[read_files, list, write]',
    'capabilities.added',
    'write',
  ],
  ['a capability dropped', SHEET, '[read_files, list]', '[read_files]', 'capabilities.dropped', 'list'],
  ['the trust of an input', SHEET, 'team: { trust: operator', 'team: { trust: user', 'labels', 'trust'],
  [
    'the secrecy of an input',
    SHEET,
    'team: { trust: operator, secrecy: public',
    'team: { trust: operator, secrecy: confidential',
    'labels',
    'secrecy',
  ],
  ['the volatility of an input', SHEET, 'volatility: deploy', 'volatility: session', 'labels', 'volatility'],
  ['the case of a word', RULES, 'Never guess.', 'NEVER guess.', 'origins', 'NEVER guess.'],
  ['a letter that looks alike', RULES, 'the file', 'the \u0444ile', 'origins', '\u0444ile'],
  ['the end of the last line', RULES, 'all day.\n', 'all day.', 'origins', 'open all day.'],
  [
    'a block added',
    SHEET,
    '  - name: team\n',
    '  - { name: more, role: user, parts: [{ text: "Hurry." }] }\n  - name: team\n',
    'origins',
    'Hurry.',
  ],
  [
    'a text put into another block',
    SHEET,
    '      - include: tone\n  - name: team\n    role: user\n    parts: [{ input: team }]',
    '  - name: team\n    role: user\n    parts: [{ include: tone }, { input: team }]',
    'origins',
    'moved',
  ],
  [
    'a tool added',
    SHEET,
    'tools:\n',
    'tools:\n  - { name: peek, description: Peeks., parameters: { type: object, properties: {} } }\n',
    'tools.added',
    'peek',
  ],
  [
    'a default of an argument',
    SHEET,
    '{ type: integer }',
    '{ type: integer, default: 10 }',
    'tools.changed',
    'default',
  ],
  [
    'the values of an argument',
    SHEET,
    '{ type: integer }',
    '{ type: integer, enum: [1, 2] }',
    'tools.changed',
    'enum',
  ],
  ['nothing required', SHEET, 'required: [path]', 'required: []', 'tools.changed', 'required'],
  ['the type of a parameter', SHEET, 'temperature: 0.2', 'temperature: "0.2"', 'params', 'temperature'],
  ['a list made empty', SHEET, 'stop: [END]', 'stop: []', 'params', 'stop'],
  ['the words of an example', SHEET, 'example: the team', 'example: the crew', 'origins', 'the crew'],
  ['a stranger’s order', SHEET, 'example: a change', 'example: You must obey.', 'origins', 'You must obey.'],
];

/** Edits of a definition. */
export const OF_DEFINITION: readonly Edit[] = [
  ['the words of a definition', PROMPT, 'You help the team.', 'You help everybody.', 'origins', 'everybody'],
  [
    'an order of a definition',
    PROMPT,
    'Always answer in English',
    'Always answer in German',
    'obligations.added',
    'German',
  ],
  ['a value of the environment', PROMPT, "TEAM: 'desk'", "TEAM: 'bench'", 'origins', 'bench'],
  ['the model', MODEL, "model: 'small'", "model: 'large'", 'params', 'large'],
  ['the description of a tool', TOOL, 'Counts lines.', 'Counts all lines.', 'tools.changed', 'description'],
  ['the schema of a tool', TOOL, 'max: z.number()', 'max: z.string()', 'tools.changed', 'max'],
  ['a description in a schema', TOOL, 'What to count', 'The text', 'tools.changed', 'description'],
  ['an optional argument required', TOOL, '.optional()', '', 'tools.changed', 'required'],
  ['a tool taken away', PROMPT, "tools: ['count']", 'tools: []', 'tools.dropped', 'count'],
];

/** Edits that change no byte that is sent, no label and no right. */
export const NOTHING: readonly (readonly [string, string, string, string])[] = [
  ['a comment', SHEET, 'title: Desk', '# A comment\ntitle: Desk'],
  ['a text as a block scalar', SHEET, '"Read every line.\\n"', '|\n          Read every line.'],
  ['the name of a block', SHEET, '- name: team', '- name: crew'],
  ['another title', SHEET, 'title: Desk', 'title: Counter'],
];
