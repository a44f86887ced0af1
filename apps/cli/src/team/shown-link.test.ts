import { createClient } from '@cuebook/api';
import { expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';

const FILES = {
  'sheets/mail.yaml': `title: Answer a mail
inputs:
  mail: { trust: external, secrecy: public, volatility: turn, description: What came in, example: Hello }
blocks:
  - { name: mail, role: user, parts: [{ input: mail }] }
`,
  'tests/mail.test.yaml': `target: sheet:mail
takes: 1
cases: mails.jsonl
metrics: { names: { answer: { matches: "order [0-9]+" } } }
`,
  'mails.jsonl': '{"id":"m1","with":{"set":{"mail":"mine"}}}\n',
  'one.yaml': 'nodes: [{ alias: lead, label: Lead, role: orchestrator }]\n',
  'script.yaml': 'lanes: { "*": [{ text: Done. }] }\n',
  'team-script.yaml': `lanes:
  lead:
    - text: |
        {"tool_call":{"name":"finish_run","args":{"ok":true,"summary":"Done."}}}
`,
};

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'the page of an eval': ['eval', '--script', 'script.yaml'],
  'a team that is watched': ['run', 'team:one.yaml', '--goal', 'Go', '--script', 'team-script.yaml'],
};

it.each(Object.keys(COMMANDS))(
  'the link to %s opens the server from a terminal, and is no key where somebody else reads along',
  async (what) => {
    const args = COMMANDS[what] ?? [];
    const cwd = folderWith(FILES);
    const ending = new AbortController();
    let up: Promise<unknown> = Promise.resolve();
    const { url, link } = JSON.parse(
      await new Promise<string>((resolve) => {
        const onPrint = (text: string): void => void (text.trimEnd().endsWith('}') && resolve(text));
        up = cuebook(['up', '--json', '--port', '0'], { cwd, stop: ending.signal, onPrint });
      }),
    ) as { readonly url: string; readonly link: string };
    try {
      const seen = await cuebook(args, { cwd, terminal: { out: false, err: true } });
      expect(seen.stderr).toContain('http:');
      const printed = seen.stderr.match(/http:\S+/u)?.[0].split('\u001b')[0] ?? '';
      expect(printed.startsWith(link)).toBe(true);
      const token = /#token=([^/]+)/u.exec(printed)?.[1] ?? '';
      expect((await createClient({ url, token }).listRuns({})).ok).toBe(true);
      const piped = await cuebook(args, { cwd });
      expect(piped.stderr).toContain(`${url}/#`);
      expect(piped.stderr).not.toContain(token);
    } finally {
      ending.abort();
      await up;
    }
  },
);
