import { describe, expect, it } from 'vitest';
import { readWorkflowSettings } from './settings.js';

const read = (text: string) => readWorkflowSettings(text, 'cuebook.yaml');
const value = (text: string) => {
  const settings = read(text);
  if (!settings.ok) throw new Error(JSON.stringify(settings.error));
  return settings.value;
};

describe('the settings of workflows', () => {
  it.each(['', '# nothing\n', 'roots: {}\nprovider: anthropic\n', 'workflow: {}\n'])(
    'are none where nothing is said: %j',
    (text) => {
      expect(value(text)).toEqual({ tools: {}, servers: {} });
    },
  );

  it('name tools, servers and bounds', () => {
    const text = `workflow:
  maxTurns: 5
  contextTokens: 8000
  tools:
    mcp: { enabled: true, allowedServers: [notes] }
    terminal: { enabled: true, commands: [git] }
  servers:
    notes: { command: notes-server, args: [--stdio], allow: [NOTES_KEY] }
    wiki: { url: 'https://wiki.example/mcp', keyName: WIKI_KEY }
`;
    expect(value(text)).toEqual({
      maxTurns: 5,
      contextTokens: 8000,
      tools: {
        mcp: { enabled: true, allowedServers: ['notes'] },
        terminal: { enabled: true, commands: ['git'] },
      },
      servers: {
        notes: { command: 'notes-server', args: ['--stdio'], allow: ['NOTES_KEY'], timeoutMs: 60_000 },
        wiki: { url: 'https://wiki.example/mcp', keyName: 'WIKI_KEY', timeoutMs: 60_000 },
      },
    });
  });

  it.each([
    ['a key that is none', 'workflow:\n  tool: {}\n'],
    ['a switch that is no switch', 'workflow:\n  tools: { terminal: { enabled: "yes" } }\n'],
    ['no bound at all', 'workflow:\n  tools: { fs: { maxReadBytes: 0 } }\n'],
    ['a name that cannot be part of a tool', 'workflow:\n  servers: { "My Server": { command: x } }\n'],
    ['an address that is none', 'workflow:\n  servers: { a: { url: "file:///etc" } }\n'],
    ['both a program and an address', 'workflow:\n  servers: { a: { command: x, url: "https://x.test" } }\n'],
    ['a key in the file itself', 'workflow:\n  servers: { a: { url: "https://x.test", key: abc } }\n'],
  ])('that do not fit are refused with their line: %s', (_, text) => {
    const settings = read(text);
    expect(settings.ok).toBe(false);
    expect(!settings.ok && settings.error[0]).toMatchObject({
      code: 'E_CONFIG',
      file: 'cuebook.yaml',
      line: 2,
    });
  });
});
