// Repositories as people have them, before they know of Cuebook.

const INSTRUCTIONS = {
  'package.json': '{ "name": "shop", "private": true }\n',
  'CLAUDE.md': '# Shop\n\nRun `npm test` before you say that something works.\nNever push to main.\n',
  '.claude/agents/reviewer.md':
    '---\nname: reviewer\ndescription: Reviews a change before it is merged.\ntools: Read, Grep\n---\nYou review changes to the shop. Say what must change, with file and line.\n',
  '.claude/agents/writer.md':
    '---\nname: writer\ndescription: Writes release notes.\n---\nYou write release notes for customers. One line a change.\n',
};

const langfuse = (messages: readonly object[]): string =>
  JSON.stringify([
    {
      name: 'support-reply',
      type: 'chat',
      version: 3,
      labels: ['production'],
      tags: ['support'],
      config: { model: 'gpt-4.1' },
      prompt: messages,
    },
  ]);

/** A repository that is moved in, and how many files that writes. */
export interface Repository {
  readonly files: Readonly<Record<string, string>>;
  readonly written: number;
}

export const REPOSITORIES: Readonly<Record<string, Repository>> = {
  'inputs in the message of the user': {
    files: {
      ...INSTRUCTIONS,
      'langfuse-prompts.json': langfuse([
        { role: 'system', content: 'You answer customers of the shop. Be brief.' },
        { role: 'user', content: 'Order {{order}}: {{question}}' },
      ]),
    },
    written: 7,
  },
  'inputs in the system message': {
    files: {
      ...INSTRUCTIONS,
      'langfuse-prompts.json': langfuse([
        { role: 'system', content: 'You answer {{customer}}. Be {{tone}}.' },
        { role: 'user', content: '{{question}}' },
      ]),
    },
    written: 7,
  },
  'no inputs at all': {
    files: {
      ...INSTRUCTIONS,
      'langfuse-prompts.json': langfuse([{ role: 'system', content: 'You answer customers of the shop.' }]),
    },
    written: 7,
  },
  'a monorepo with instructions in its packages': {
    files: {
      'package.json': '{ "name": "shop", "private": true, "workspaces": ["apps/*", "packages/*"] }\n',
      'CLAUDE.md': '# Shop\n\nRun `npm test`. See @docs/style.md.\n',
      'AGENTS.md': '# Shop\n\nNever push to main.\n',
      'docs/style.md': 'Small functions.\n',
      'apps/web/CLAUDE.md': 'The web app. @../../docs/style.md\n',
      'apps/web/AGENTS.md': 'Use React.\n',
      'packages/db/CLAUDE.md': 'Migrations only go forward.\n',
      'packages/db/AGENTS.md': 'Ask before you drop a table.\n',
      '.cursor/rules/ts.mdc':
        '---\ndescription: TypeScript\nglobs: **/*.ts\nalwaysApply: false\n---\nUse strict types.\n',
      'apps/web/.cursor/rules/ts.mdc':
        '---\ndescription:\nglobs: *.tsx\nalwaysApply: true\n---\nNo classes.\n',
      'apps/web/.cursor/rules/css.mdc': '---\ndescription:\nglobs: *.css\n---\nNo pixels.\n',
    },
    written: 17,
  },
  'a Python project with Langfuse and promptfoo': {
    files: {
      'pyproject.toml': '[project]\nname = "helpdesk"\nversion = "0.1.0"\n',
      'helpdesk/__init__.py':
        'from langfuse import Langfuse\n\nprompt = Langfuse().get_prompt("support-reply")\n',
      'langfuse-prompts.json': langfuse([
        { role: 'system', content: 'You answer {{customer}}. Be brief.' },
        { role: 'user', content: '{{question}}' },
      ]),
      'evals/promptfooconfig.yaml': [
        'description: Replies',
        'prompts:',
        '  - "Answer {{question}} for {{customer}}."',
        'providers: [openai:gpt-4.1]',
        'tests:',
        '  - description: greets',
        '    vars: { question: "Where is my order?", customer: Ada }',
        '    assert:',
        '      - { type: contains, value: order }',
        '',
      ].join('\n'),
    },
    written: 3,
  },
  'Copilot, servers of tools and agents': {
    files: {
      'package.json': '{ "name": "portal", "private": true }\n',
      '.github/copilot-instructions.md': 'Write tests first.\n',
      '.github/instructions/api.instructions.md':
        '---\ndescription: The API\napplyTo: "src/api/**"\n---\nValidate every input.\n',
      '.github/prompts/explain.prompt.md': `---\ndescription: Explains\nagent: ask\n---\nExplain $${'{input:what}'}.\n`,
      '.mcp.json': '{ "mcpServers": { "issues": { "command": "npx", "args": ["-y", "issues-server"] } } }\n',
      '.vscode/mcp.json':
        '{ "servers": { "files": { "command": "npx", "args": ["-y", "files-server"] } } }\n',
      '.claude/agents/reviewer.md':
        '---\nname: reviewer\ndescription: Reviews a change.\ntools: Read, Grep\n---\nYou review changes.\n',
      '.claude/agents/writer.md':
        '---\nname: writer\ndescription: Writes release notes.\nmodel: opus\n---\nYou write release notes.\n',
    },
    written: 9,
  },
};
