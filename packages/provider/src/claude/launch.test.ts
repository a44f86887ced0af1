import { describe, expect, it } from 'vitest';
import { type ClaudeLaunch, claudeArgs, claudeEnvironment } from './launch.js';

const LAUNCH: ClaudeLaunch = {
  ...{ sessionId: 'id', isResumed: false, model: undefined, access: undefined, ask: false, hasTools: false },
};
const modeOf = (more: Partial<ClaudeLaunch>) => {
  const args = claudeArgs({ ...LAUNCH, ...more });
  return args[args.indexOf('--permission-mode') + 1];
};

describe('the command line of Claude Code', () => {
  it.each([
    [{}, 'default'],
    [{ access: 'plan' }, 'plan'],
    [{ access: 'plan', ask: true }, 'plan'],
    [{ access: 'edit' }, 'acceptEdits'],
    [{ access: 'edit', ask: true }, 'default'],
    [{ access: 'full' }, 'acceptEdits'],
    [{ access: 'full', ask: true }, 'default'],
  ] as const)('has the least rights for %o: %s', (more, mode) => {
    expect(modeOf(more)).toBe(mode);
    expect(claudeArgs({ ...LAUNCH, ...more }).join(' ')).not.toMatch(/dangerous|bypass/);
  });

  it('begins a session or resumes it, and takes a model for nothing but a model', () => {
    expect(claudeArgs(LAUNCH).join(' ')).toContain('--session-id id');
    expect(claudeArgs({ ...LAUNCH, isResumed: true }).join(' ')).toContain('--resume id');
    expect(claudeArgs({ ...LAUNCH, model: '--debug' })).toContain('--model=--debug');
  });

  it('asks where the settings of others allow, when a person is to be asked', () => {
    const settings = (more: Partial<ClaudeLaunch>) => {
      const args = claudeArgs({ ...LAUNCH, ...more });
      const at = args.indexOf('--settings');
      return at === -1 ? undefined : JSON.parse(args[at + 1] ?? '');
    };
    expect(settings({ ask: true, access: 'full' }).permissions.ask).toEqual(
      expect.arrayContaining(['Bash', 'Edit', 'Write', 'mcp__*']),
    );
    expect([settings({ ask: false, access: 'full' }), settings({ ask: true, access: 'plan' })]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('offers our tools only when there are some', () => {
    expect(claudeArgs(LAUNCH)).not.toContain('--mcp-config');
    const args = claudeArgs({ ...LAUNCH, hasTools: true });
    expect(args).toContain('--mcp-config');
    // A rule that allows them would be about a name, which a server of somebody else may have too.
    expect(args).not.toContain('--allowedTools');
  });
});

describe('the environment of Claude Code', () => {
  const parent = {
    ...{
      PATH: '/bin',
      HOME: '/h',
      ANTHROPIC_API_KEY: 'a',
      CLAUDE_CODE_OAUTH_TOKEN: 't',
      CLAUDE_CONFIG_DIR: '/c',
    },
    ...{
      OPENAI_API_KEY: 'o',
      GEMINI_API_KEY: 'g',
      AWS_SECRET_ACCESS_KEY: 's',
      GOOGLE_APPLICATION_CREDENTIALS: 'p',
    },
    ...{ GITHUB_TOKEN: 'h', CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDECODE: '1' },
  };
  const of = (set: Record<string, string> = {}, more: Record<string, string> = {}) =>
    claudeEnvironment({ parent: { ...parent, ...more }, set, retries: 2, hasTools: true });

  it('keeps the user’s login and settings, and no key of another', () => {
    const kept = Object.keys(of())
      .filter((name) => name in parent)
      .sort();
    expect(kept).toEqual([
      'ANTHROPIC_API_KEY',
      'CLAUDE_CODE_OAUTH_TOKEN',
      'CLAUDE_CONFIG_DIR',
      'HOME',
      'PATH',
    ]);
  });

  it.each([
    ['CLAUDE_CODE_USE_BEDROCK', 'AWS_SECRET_ACCESS_KEY'],
    ['CLAUDE_CODE_USE_VERTEX', 'GOOGLE_APPLICATION_CREDENTIALS'],
  ])('adds a cloud’s credentials only where %s says so', (asked, name) => {
    expect(of()).not.toHaveProperty(name);
    expect(of({}, { [asked]: '0' })).not.toHaveProperty(name);
    expect(of({}, { [asked]: '1' })).toHaveProperty(name);
    expect(of({ [asked]: 'true' })).toHaveProperty(name);
  });

  it('lets a user’s own number of retries stand', () => {
    expect(of().CLAUDE_CODE_MAX_RETRIES).toBe('2');
    expect(of({}, { CLAUDE_CODE_MAX_RETRIES: '7' }).CLAUDE_CODE_MAX_RETRIES).toBe('7');
  });
});
