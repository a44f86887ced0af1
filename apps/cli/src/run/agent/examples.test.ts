import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { itInTurn } from '../../../../../test/runs.js';
import { cuebook, folderWith } from '../../../test/cuebook.js';

const EXAMPLES = fileURLToPath(new URL('../../../../../examples/', import.meta.url));

/** What each example says when its script is played. */
const PLAYED: Readonly<Record<string, { readonly agent: string; readonly messages: readonly string[] }>> = {
  'definitions-basic': {
    agent: 'library',
    messages: ['user: Hello.', 'assistant: We open at nine. On Sundays we are closed.'],
  },
  'definitions-hooks': {
    agent: 'front_desk',
    messages: ['user: Hello.', 'assistant: Who is calling, and when may the doctor call back?'],
  },
  'definitions-includes': {
    agent: 'museum',
    messages: ['user: Hello.', 'assistant: You may touch the ropes. What else would you like to know?'],
  },
  'definitions-reasoning': {
    agent: 'reader',
    messages: ['user: Hello.', 'assistant: Line 2 divides by zero.'],
  },
  'definitions-tools': {
    agent: 'counter',
    messages: [
      'user: Hello.',
      'assistant: Let me look that up.',
      'tool: Order A-17: one lamp, delivered. Looked back 2 years.',
      'assistant: ',
      'tool: Case for A-17 in lamps, normal priority.',
      'assistant: A case is open, and somebody will write to you.',
    ],
  },
};

describe('the examples of definitions', () => {
  it('are all in the table', () => {
    expect(readdirSync(EXAMPLES).filter((name) => name.startsWith('definitions-'))).toEqual(
      Object.keys(PLAYED).sort(),
    );
  });

  itInTurn.each(Object.entries(PLAYED))('%s runs', async (name, { agent, messages }) => {
    const project = join(EXAMPLES, name);
    const home = folderWith();
    const args = ['run', `agent:${agent}`, '--project', project, '--script', join(project, 'script.yaml')];
    const ran = await cuebook([...args, '--input', 'Hello.', '--json'], {
      cwd: home,
      env: { CUEBOOK_HOME: home },
    });
    expect(ran.stderr).toBe('');
    const answer = JSON.parse(ran.stdout) as {
      readonly status: string;
      readonly messages: readonly { readonly role: string; readonly content: string }[];
    };
    expect(answer.status).toBe('done');
    expect(answer.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual(messages);
  });
});
