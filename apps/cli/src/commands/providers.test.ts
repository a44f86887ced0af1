import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';

const OWN = `provider: helper
providers:
  helper: { kind: line, command: ./helper.sh }
`;

interface Answer {
  readonly default: string;
  readonly providers: readonly {
    readonly name: string;
    readonly installed?: boolean;
    readonly version?: string;
    readonly signedIn: string;
    readonly missing: readonly string[];
    readonly isDefault: boolean;
  }[];
}

/** A machine with nothing on it but what the test puts there. */
const bare = (files: Record<string, string> = {}) => {
  const cwd = folderWith(files);
  return { cwd, env: { PATH: join(cwd, 'bin'), HOME: cwd } };
};

describe('providers', () => {
  it('lists all of them where nothing is installed, with what is missing, and says that this is a rehearsal', async () => {
    const { code, stdout, stderr } = await cuebook(['providers'], bare());
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^By default the rehearsal answers: a script, not a model\./);
    expect(stdout).toMatch(/^name +installed +version +signed in$/m);
    expect(stdout).toMatch(/^claude +no +– +no$/m);
    expect(stdout).toMatch(/^ {2}streams +all$/m);
    expect(stdout).toMatch(/^ {2}changes input +rehearsal, claude$/m);
    expect(stdout).toMatch(/^ {2}claude +The program `claude` is not there\./m);
    expect(stdout).toMatch(/^ {2}anthropic +Nobody is signed in\. Set ANTHROPIC_API_KEY\.$/m);
  });

  it('fits a narrow terminal, with many providers of the project too', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `helper-of-the-team-${at}`);
    const own = names.map((name) => `  ${name}: { kind: line, command: ./helper.sh }\n`).join('');
    for (const files of [{}, { 'cuebook.yaml': `provider: ${names[0]}\nproviders:\n${own}` }]) {
      const { stdout } = await cuebook(['providers'], bare(files));
      expect(stdout.split('\n').filter((line) => [...line].length > 80)).toEqual([]);
    }
  });

  it('answers in JSON', async () => {
    const desk = bare();
    const { code, stdout } = await cuebook(['providers', '--json'], {
      ...desk,
      env: { ...desk.env, OPENAI_API_KEY: 'sk-very-secret-0123456789' },
    });
    const answer = JSON.parse(stdout) as Answer;
    expect([code, answer.default]).toEqual([0, 'rehearsal']);
    expect(answer.providers.find(({ name }) => name === 'openai')).toMatchObject({
      signedIn: 'key',
      missing: [],
    });
    expect(answer.providers.filter(({ isDefault }) => isDefault).map(({ name }) => name)).toEqual([
      'rehearsal',
    ]);
    expect(stdout).not.toContain('very-secret');
  });

  it('finds a program by its name and asks its version', async () => {
    const desk = bare({ 'bin/claude': '#!/bin/sh\necho "2.1.325 (Claude Code)"\n' });
    chmodSync(join(desk.cwd, 'bin/claude'), 0o755);
    const { stdout } = await cuebook(['providers', '--json'], desk);
    const claude = (JSON.parse(stdout) as Answer).providers.find(({ name }) => name === 'claude');
    expect(claude).toMatchObject({ installed: true, version: '2.1.325', signedIn: 'no' });
  });

  it('lists those of the project, and runs none of them', async () => {
    const desk = bare({ 'cuebook.yaml': OWN, 'helper.sh': '#!/bin/sh\ntouch ran.txt\n' });
    chmodSync(join(desk.cwd, 'helper.sh'), 0o755);
    const { stdout } = await cuebook(['providers'], desk);
    expect(stdout).toMatch(/^The default provider is helper\.$/m);
    expect(stdout).toMatch(/^helper +yes +– +unknown$/m);
    expect(existsSync(join(desk.cwd, 'ran.txt'))).toBe(false);
  });

  it('reports what is wrong with the configuration, by line', async () => {
    const desk = bare({ 'cuebook.yaml': 'providers:\n  mine: { kind: line }\n' });
    const { code, stderr } = await cuebook(['providers'], desk);
    expect(code).toBe(1);
    expect(stderr).toContain('cuebook.yaml:2');
    expect(stderr).toContain('E_PROVIDER_CONFIG');
  });
});
