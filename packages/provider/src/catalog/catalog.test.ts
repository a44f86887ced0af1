import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { play, redactor } from '../../test/play.js';
import { defaultProvider, providerCatalog } from './catalog.js';
import { NO_CONFIG, type ProviderConfig, readProviderConfig } from './config.js';
import { createProvider, pricesOf } from './create.js';
import { type DetectedProvider, type DetectOptions, detectProviders } from './detect.js';
import { isWithin } from './version.js';

const OWN = `
provider: helper
providers:
  helper: { kind: line, command: ./helper.sh, allow: [HELPER_KEY] }
  words: { kind: raw, command: cat }
  other: { kind: acp, command: opencode, args: [acp], modes: { plan: plan } }
  house-claude: { kind: claude, env: { CLAUDE_CODE_MAX_RETRIES: "1" } }
  house-codex: { kind: codex, command: ./codex, allow: [HOUSE_KEY], config: { model_provider: house }, transport: exec }
  house-gemini: { kind: gemini, trust: true }
  local: { kind: compatible, baseUrl: "http://127.0.0.1:11434/v1", keyName: LOCAL_KEY }
prices:
  date: "2026-11-15"
  models: { local-1: { input: 0, output: 0 } }
names: [somebody]
`;

function configOf(text: string): ProviderConfig {
  const read = readProviderConfig(text, 'cuebook.yaml');
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'catalog-'));
});
afterAll(() => rmSync(home, { recursive: true }));

async function look(
  name: string,
  options: Partial<DetectOptions> = {},
  config = NO_CONFIG,
): Promise<DetectedProvider> {
  const entries = providerCatalog(config).filter((entry) => entry.name === name);
  const [found] = await detectProviders(entries, { env: {}, home, run: async () => undefined, ...options });
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

describe('the catalog', () => {
  it('lists what is built in and what is configured, the rehearsal first', () => {
    expect(providerCatalog().map(({ name }) => name)).toEqual([
      ...['rehearsal', 'claude', 'codex', 'gemini'],
      ...['anthropic', 'openai', 'openai-chat', 'google', 'compatible'],
    ]);
    expect(
      providerCatalog(configOf(OWN))
        .slice(9)
        .map(({ name }) => name),
    ).toEqual(['helper', 'house-claude', 'house-codex', 'house-gemini', 'local', 'other', 'words']);
  });

  it('has the rehearsal speak where nothing else is configured', async () => {
    expect(defaultProvider(NO_CONFIG)).toBe('rehearsal');
    const provider = createProvider();
    if (!provider.ok) throw new Error('no provider');
    const { text } = await play(provider.value.open({ redactor }), {});
    expect(text).toContain('This is a rehearsal');
  });

  it('makes a provider of every name, with the capabilities that it lists', () => {
    const config = configOf(OWN);
    for (const { name, kind, capabilities } of providerCatalog(config)) {
      const made = createProvider(name, { config });
      expect(made.ok && [made.value.name, made.value.kind, made.value.capabilities]).toEqual([
        name,
        kind,
        capabilities,
      ]);
    }
    expect(createProvider(undefined, { config })).toMatchObject({ ok: true, value: { name: 'helper' } });
  });

  it.each(['nobody', 'toString', '__proto__', ''])('makes no provider of %s', (name) => {
    expect(createProvider(name)).toMatchObject({ ok: false, error: { code: 'E_PROVIDER_CONFIG' } });
  });

  it('puts prices of one’s own over the built-in ones', () => {
    expect(pricesOf(configOf(OWN)).models['local-1']).toEqual({ input: 0, output: 0 });
    expect(Object.keys(pricesOf(configOf(OWN)).models).length).toBeGreaterThan(1);
  });
});

describe('the configuration', () => {
  const BAD: ReadonlyArray<[text: string, at: string]> = [
    ['provider: nobody', 'provider: there is no provider called "nobody"'],
    ['providers: { claude: { kind: raw, command: x } }', 'providers.claude: this name is built in'],
    ['providers: { Mine: { kind: raw, command: x } }', 'providers.Mine'],
    ['providers: { mine: { kind: magic } }', 'providers.mine'],
    ['providers: { mine: { kind: raw } }', 'providers.mine.command'],
    ['providers: { mine: { kind: raw, command: x, colour: red } }', '"colour" is not a key here'],
    ['providers: { mine: { kind: compatible, baseUrl: here } }', 'providers.mine.baseUrl'],
    ['prices: { models: {} }', 'prices.date'],
    ['providers: [', ''],
    ['just words', ''],
  ];
  it.each(BAD)('refuses %s', (text, at) => {
    const read = readProviderConfig(text, 'cuebook.yaml');
    expect(read.ok).toBe(false);
    if (read.ok) return;
    expect(read.error[0]).toMatchObject({ code: 'E_PROVIDER_CONFIG', file: 'cuebook.yaml' });
    expect(read.error.map(({ message }) => message).join()).toContain(at);
  });

  it.each(['', '# nothing\n', 'names: [a]\n'])('has nothing to say in %j', (text) => {
    expect(configOf(text)).toEqual(NO_CONFIG);
  });
});

describe('detection', () => {
  it('says what is not there and how to fix it', async () => {
    const claude = await look('claude');
    expect(claude).toMatchObject({ installed: false, signedIn: 'no', isDefault: false });
    expect(claude.missing.join(' ')).toContain('@anthropic-ai/claude-code');
    expect(claude.missing.join(' ')).toContain('ANTHROPIC_API_KEY');
    expect(await look('compatible')).toMatchObject({
      signedIn: 'none',
      missing: [expect.stringContaining('address')],
    });
    expect(await look('rehearsal')).toMatchObject({ signedIn: 'none', missing: [], isDefault: true });
  });

  it.each([
    ['2.1.325 (Claude Code)', '2.1.325', 0],
    ['1.0.3', '1.0.3', 1],
    ['3.0.0', '3.0.0', 1],
    ['who knows', undefined, 0],
  ])('reads the version %s', async (said, version, notes) => {
    const found = await look('claude', { run: async () => said });
    expect([found.installed, found.version, found.notes.length]).toEqual([true, version, notes]);
  });

  it('knows a key and a login, and shows neither', async () => {
    const key = 'sk-ant-something-very-secret';
    const byKey = await look('anthropic', { env: { ANTHROPIC_API_KEY: key } });
    expect(byKey.signedIn).toBe('key');
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, '.codex', 'auth.json'), key);
    const byLogin = await look('codex');
    expect(byLogin.signedIn).toBe('login');
    expect(JSON.stringify([byKey, byLogin])).not.toContain(key);
    expect(JSON.stringify([byKey, byLogin])).not.toContain(home);
    expect((await look('codex', { env: { CODEX_HOME: join(home, 'elsewhere') } })).signedIn).toBe('no');
  });

  it('cannot tell behind a link that leads elsewhere', async () => {
    symlinkSync(tmpdir(), join(home, '.gemini'));
    expect((await look('gemini')).signedIn).toBe('unknown');
  });

  it('runs no program that a project names', async () => {
    const ran: string[] = [];
    const bin = join(home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'opencode'), '#!/bin/sh\n');
    chmodSync(join(bin, 'opencode'), 0o755);
    const options = {
      env: { PATH: `/nonexistent:${bin}` },
      run: async (command: string) => {
        ran.push(command);
        return '1.0.0';
      },
    };
    const config = configOf(OWN);
    expect((await look('other', options, config)).installed).toBe(true);
    expect((await look('helper', options, config)).installed).toBe(false);
    expect((await look('helper', options, config)).isDefault).toBe(false);
    expect(ran).toEqual([]);
  });

  it('asks a real program for its version', async () => {
    const [node] = await detectProviders(
      [{ ...(providerCatalog()[1] as ReturnType<typeof providerCatalog>[number]), program: NODE }],
      { env: process.env, home },
    );
    expect(node).toMatchObject({ installed: true, version: process.versions.node, notes: [] });
  });

  const NODE = { command: process.execPath, versions: ['1.0.0', '999.0.0'], install: '' } as const;

  it('orders versions as numbers', () => {
    const part = fc.nat(300);
    fc.assert(
      fc.property(part, part, part, (major, minor, patch) => {
        const version = `${major}.${minor}.${patch}`;
        expect(isWithin(version, [version, `${major}.${minor}.${patch + 1}`])).toBe(true);
        expect(isWithin(version, [`${major}.${minor}.${patch + 1}`, '999.0.0'])).toBe(false);
        expect(isWithin(version, ['0.0.0', version])).toBe(false);
      }),
      runs(200, 2000),
    );
  });
});
