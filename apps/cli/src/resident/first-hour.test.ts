import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCENARIOS } from '@cuebook/bundle';
import { expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';

const SAID = 'I have just moved in by the river and write down what flies past. What did you see today?';
const SCRIPT = JSON.stringify({ lanes: { '*': Array.from({ length: 50 }, () => ({ text: SAID })) } });

/** The server of a folder, until the test is over. */
async function serve(cwd: string) {
  const stop = new AbortController();
  let tell: (text: string) => void = () => {};
  const first = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const served = cuebook(['up', '--json'], { cwd, stop: stop.signal, onPrint: (text) => tell(text) });
  const printed = await Promise.race([first, served.then(({ stderr }) => stderr)]);
  return {
    url: (JSON.parse(printed) as { readonly url: string }).url,
    async end() {
      stop.abort();
      return served;
    },
  };
}

it('an operator brings two agents of one home to life without writing a line of YAML', async () => {
  const town = folderWith({});
  const platform = async (...args: readonly string[]) => {
    const outcome = await cuebook(args, { cwd: town });
    expect([args.join(' '), outcome.code, outcome.stderr]).toEqual([args.join(' '), 0, '']);
    return outcome.stdout;
  };
  const init = JSON.parse(await platform('platform', 'init', '--rehearsal', '--name', 'town', '--json'));
  await platform('platform', 'place', 'topic/welcome', '--title', 'Who is here', '--mode', 'intro_once');
  const agents = folderWith({ 'script.json': SCRIPT });
  const env = { CUEBOOK_HOME: join(agents, 'home') };
  const agent = (name: string, ...args: readonly string[]) => cuebook(args, { cwd: join(agents, name), env });

  const keys: string[] = [];
  for (const name of ['ada', 'bo']) {
    mkdirSync(join(agents, name));
    writeFileSync(join(agents, name, 'script.json'), SCRIPT);
    await platform('platform', 'invite', name, '--out', join(agents, name, 'invitation.json'));
    const made = await agent(name, 'agent', 'init', 'invitation.json', '--json');
    expect([made.code, made.stderr]).toEqual([0, '']);
    const { publicKey, platform: url } = JSON.parse(made.stdout);
    expect(url).toBe(init.url);
    keys.push(publicKey);
    await platform('card', 'new', name, '--name', name, '--agent-key', publicKey, '--public');
    if (name === 'ada')
      await platform('card', 'edit', name, '--bio', 'Lives near the river.', '--tone', 'calm');
    await platform('card', 'submit', name, '--by', 'olga');
    await platform('card', 'approve', `${name}@1`, '--by', 'rosa');
  }
  expect(new Set(keys).size).toBe(2);
  await platform('bundle', 'publish');

  // Nothing answers yet, and that is said.
  const alone = await agent('ada', 'sync');
  expect([alone.code, alone.stdout]).toEqual([1, expect.stringContaining('cannot reach its platform')]);

  const server = await serve(town);
  try {
    // The server listens where the platform says that agents find it.
    expect(server.url).toBe(init.url);
    const stranger = await agent('ada', 'sync');
    expect([stranger.code, stranger.stdout]).toEqual([1, expect.stringContaining('is not admitted yet')]);
    const status = JSON.parse(await platform('platform', 'status', '--json'));
    expect(status).toMatchObject({ asking: ['ada'], admitted: 0 });
    // Every scenario is in the signed library, and is listed with version and parameters, in text as in JSON.
    const library = readFileSync(join(town, '.cuebook', 'platform', 'trust', '1.library.json'), 'utf8');
    const text = await platform('platform');
    expect(text).toContain('ada asks to be admitted');
    expect(status.scenarios.map(({ id }: { id: string }) => id).sort()).toEqual([...SCENARIOS.keys()].sort());
    for (const { id, version, preset } of status.scenarios) {
      expect(library).toContain(`templates/${id}/v${version}.json`);
      const { temperature, max_tokens, top_p } = preset;
      const said = `version ${version}  temperature ${temperature}, max_tokens ${max_tokens}, top_p ${top_p}`;
      expect(text).toContain(`${id.padEnd(16)} ${said}`);
    }
    for (const name of ['ada', 'bo']) {
      await platform('platform', 'admit', name, '--by', 'olga');
      const done = await agent(name, 'agent', 'do', 'intro', '--script', 'script.json');
      expect([done.code, done.stdout]).toEqual([0, expect.stringContaining(`intro: ${SAID}`)]);
    }
    expect((await agent('ada', 'agent', 'export')).code).toBe(0);
    const words = readFileSync(join(agents, 'ada', 'AGENTS.md'), 'utf8');
    expect(words).toContain('You are ada');
    expect(words).toContain('- Tone: calm');
    expect((await agent('ada', 'agent', 'export')).stderr).toContain('E_WOULD_OVERWRITE');
    expect((await agent('ada', 'agent', 'init', 'invitation.json')).stderr).toContain('E_WOULD_OVERWRITE');
    expect(JSON.parse(await platform('platform', 'status', '--json'))).toMatchObject({
      asking: [],
      admitted: 2,
    });
    for (const name of ['ada', 'bo']) {
      const home = join(agents, 'home', 'agents', name);
      expect([existsSync(join(home, 'agent.key.pem')), existsSync(join(home, 'trust.json'))]).toEqual([
        true,
        true,
      ]);
    }
    const goals = [{ type: 'social', description: 'Meet somebody.', difficulty: 'easy' }];
    const script = JSON.stringify({ lanes: { '*': [{ text: JSON.stringify(goals) }] } });
    writeFileSync(join(agents, 'ada', 'goals.json'), script);
    expect((await agent('ada', 'agent', 'do', 'daily_goals', '--script', 'goals.json')).code).toBe(0);
    expect((await agent('ada', 'agent', 'status')).stdout).toContain('goal, open: Meet somebody.');
    // What cannot be done is not done, and says why.
    const again = await agent('ada', 'agent', 'do', 'intro', '--script', 'script.json');
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('No topic waits')]);
    const silent = await agent('ada', 'agent', 'do', 'daily_goals');
    expect(silent.stderr).toContain('No provider is set');
    expect(await platform('bundle', 'show', 'ada')).toMatch(
      /^intro +version 1 {2}temperature 0\.8, max_tokens 220/m,
    );
    // Other words of a scenario wait for a person; which of two versions is better, an experiment finds out.
    const made = await cuebook(['library', 'new', 'greeting', '--temperature', '0.4', '--by', 'ann'], {
      cwd: town,
    });
    expect([made.stdout.split('\n')[0], made.stderr]).toEqual(['greeting@3 waits for a review', '']);
    await platform('library', 'approve', 'greeting@3', '--by', 'rosa');
    await platform('experiment', 'start', 'warm', '--scenario', 'greeting', '--effect', '0.1');
    expect(JSON.parse(await platform('experiment', 'step', 'warm', '--json'))).toMatchObject({
      type: 'hold',
      share: 0.5,
    });
    await platform('experiment', 'end', 'warm');
  } finally {
    expect((await server.end()).code).toBe(0);
  }
});

it('a card is written and changed by flags alone, and its comments stay', async () => {
  const cwd = folderWith({ 'cuebook.yaml': '' });
  const card = (...args: readonly string[]) => cuebook(['card', ...args], { cwd });
  const all = [
    ...['--name', 'Ada', '--description', 'Counts birds.', '--bio', 'By the river.', '--greeting', 'Hello!'],
    ...['--interest', 'birds', '--capability', 'field notes', '--personality', '0.1,0.2,0.3,0.4'],
    ...['--inspiration', 'Rachel Carson', '--inspiration-note', 'the sea books', '--tone', 'calm'],
    ...['--writing-rule', 'short sentences', '--phrase', 'Look up.', '--tag', 'river', '--public'],
    ...['--autonomous', '--auto-accept', '--avatar', 'https://example.org/a.png'],
  ];
  expect((await card('new', 'ada', ...all)).code).toBe(0);
  const file = join(cwd, 'cards', 'ada.yaml');
  writeFileSync(file, `# Ours.\n${readFileSync(file, 'utf8')}`);
  const edited = JSON.parse(
    (await card('edit', 'ada', '--bio', 'By the sea.', '--tone', 'dry', '--json')).stdout,
  );
  expect(edited.card).toMatchObject({
    name: 'Ada',
    bio: 'By the sea.',
    personality: { extrovert: 0.1, stable: 0.4 },
    persona: {
      inspiration: { kind: 'real_person', reference: 'Rachel Carson', note: 'the sea books' },
      voice: { tone_tags: ['dry'], writing_rules: ['short sentences'], catchphrases: ['Look up.'] },
      no_impersonation: true,
    },
    discovery: { public: true, tags: ['river'] },
    autonomous: { enabled: true, auto_accept_matching: true },
  });
  expect(readFileSync(file, 'utf8')).toMatch(/^# Ours\./);
  expect(JSON.parse((await card('edit', 'ada', '--hidden', '--json')).stdout).card.discovery.public).toBe(
    false,
  );
  // What does not fit is not written.
  const before = readFileSync(file, 'utf8');
  expect((await card('edit', 'ada', '--bio', 'I am Rachel Carson.')).stderr).toContain('E_CARD');
  expect((await card('edit', 'ada')).stderr).toContain('E_USAGE');
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect((await card('export', 'ada', '--out', 'ADA.md')).code).toBe(0);
  expect(readFileSync(join(cwd, 'ADA.md'), 'utf8')).toContain('By the sea.');
  expect((await card('export', 'ada', '--out', 'ADA.md')).stderr).toContain('E_WOULD_OVERWRITE');
});

it.each([
  ['without anything', [], 'agent init FILE'],
  ['from what is no invitation', ['cuebook.yaml'], 'is no invitation'],
  ['from a file that is not there', ['nothing.json'], 'E_FILE_NOT_FOUND'],
])('agent init %s writes nothing and says what to do', async (_, args, says) => {
  const cwd = folderWith({ 'cuebook.yaml': '' });
  const outcome = await cuebook(['agent', 'init', ...args], { cwd });
  expect([outcome.code > 0, outcome.stderr]).toEqual([true, expect.stringContaining(says)]);
  expect(existsSync(join(cwd, 'agent.yaml'))).toBe(false);
});
