import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { morningZone } from '../../test/morning.js';

/** A port that was free a moment ago. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

it('an agent shows its key, is let in, and lives with its own credentials over HTTP', async () => {
  const town = folderWith({ 'cuebook.yaml': 'roots: {}\n' });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const file = `agent: ada\nplatform: ${url}\nlog: town\nzone: ${morningZone()}\n`;
  const home = folderWith({ 'cuebook.yaml': '', 'agent.yaml': file });
  const platform = async (...args: readonly string[]) => {
    const outcome = await cuebook(args, { cwd: town });
    expect([args.join(' '), outcome.code, outcome.stderr]).toEqual([args.join(' '), 0, '']);
    return outcome.stdout;
  };
  const agent = (...args: readonly string[]) => cuebook(args, { cwd: home });

  expect((await agent('sync')).stderr).toContain('`cuebook agent key` makes one');
  const key = (await agent('agent', 'key')).stdout.trim();
  expect(key).toMatch(/^ed25519:/);
  expect((await agent('agent', 'key')).stdout.trim()).toBe(key);

  await platform('platform', 'init', '--rehearsal', '--name', 'town', '--url', url);
  await platform(
    'card',
    'new',
    'ada',
    '--name',
    'Ada',
    '--public',
    '--personality',
    '0.7,0.9,0.6,0.5',
    '--agent-key',
    key,
  );
  await platform('card', 'submit', 'ada', '--by', 'olga');
  await platform('card', 'approve', 'ada@1', '--by', 'rosa');
  await platform('bundle', 'publish');
  await platform('platform', 'place', 'topic/welcome', '--title', 'Who is here', '--mode', 'intro_once');
  const store = join(town, '.cuebook', 'platform', 'objects');
  copyFileSync(join(store, 'trust', 'shared', '1.root.json'), join(home, 'root.json'));

  const stop = new AbortController();
  let isUp = () => {};
  const up = new Promise<void>((resolve) => {
    isUp = resolve;
  });
  // The server listens where the platform says that it does.
  const served = cuebook(['up', '--json'], {
    cwd: town,
    stop: stop.signal,
    onPrint: () => isUp(),
  });
  try {
    await Promise.race([up, served]);
    // Published, and not let in yet: nothing is taken, nothing is said.
    const stranger = await agent('sync', '--json');
    expect([stranger.code, JSON.parse(stranger.stdout).active]).toEqual([1, false]);
    await platform('platform', 'admit', 'ada', '--by', 'olga');
    const synced = await agent('sync', '--json');
    expect([synced.code, synced.stderr]).toEqual([0, '']);
    expect(JSON.parse(synced.stdout)).toMatchObject({
      active: true,
      cardVersion: 1,
      changed: true,
      failures: [],
    });

    // Nobody is named who speaks for it: it looks, and says nothing.
    const silent = await agent('agent', '--once', '--json');
    expect([silent.code, JSON.parse(silent.stdout).deeds]).toEqual([0, []]);
    expect(silent.stderr).toContain('listens and says nothing');
    const round = await agent('agent', '--once', '--json', '--provider', 'rehearsal');
    expect([round.code, round.stderr]).toEqual([0, '']);
    expect(JSON.parse(round.stdout).deeds).toMatchObject([{ scenario: 'intro', written: true }]);
    const intro = join(store, 'topics', 'welcome', 'messages', 'ada', 'intro_card_v1.json');
    expect(JSON.parse(readFileSync(intro, 'utf8'))).toMatchObject({ agent_id: 'ada', scenario: 'intro' });
    const beats = join(store, 'agents', 'heartbeats');
    expect(readdirSync(beats).flatMap((shard) => readdirSync(join(beats, shard)))).toEqual(['ada.last']);

    // A person likes it, and it is heard.
    const about = 'topics/welcome/messages/ada/intro_card_v1.json';
    await platform('platform', 'feedback', 'ada', '--about', about, '--by', 'olga');
    const heard = JSON.parse((await agent('agent', '--once', '--json', '--provider', 'rehearsal')).stdout);
    expect(heard).toMatchObject({ today: { likes: 1 }, weights: { join_group_chat: 1.25 } });

    expect(JSON.parse(await platform('experiment', 'count', '2025-11-15', '--json'))).toMatchObject({
      days: [{ outcomes: 0, repeated: false, halted: [] }],
    });
    expect(await platform('experiment', 'count', '2025-11-15')).toContain('was counted before');

    // Another version of what it is told, while the server runs: the agent takes it and goes on.
    await platform('library', 'pin', 'intro@2');
    await platform('bundle', 'publish');
    expect(JSON.parse((await agent('sync', '--json')).stdout)).toMatchObject({ changed: true, failures: [] });
    const bundle = JSON.parse(readFileSync(join(store, 'agents', 'prompts', 'ada', 'bundle.json'), 'utf8'));
    expect(bundle.scenarios).toContainEqual(expect.objectContaining({ id: 'intro', version: 2 }));
    expect((await agent('agent', '--once', '--json', '--provider', 'rehearsal')).code).toBe(0);

    // The platform knows by the agent's own signed word what it uses.
    const fleet = async () => JSON.parse(await platform('platform', 'fleet', '--json')).members;
    // The last thing that it was refused is from before it was let in.
    expect(await fleet()).toMatchObject([
      { agent: 'ada', state: 'current', vouched: true, failure: { code: 'E_OBJECT', reason: 'denied' } },
    ]);

    // Another key: made by the agent, let in by its owner, taken over by the next sync. Then the old one is nobody's.
    const { newKey } = JSON.parse((await agent('agent', 'key', '--new', '--json')).stdout);
    expect(JSON.parse((await agent('agent', 'key', '--new', '--json')).stdout).newKey).toBe(newKey);
    expect((await agent('sync')).code).toBe(0);
    expect((await agent('agent', 'key')).stdout.trim()).toBe(key);
    const old = readFileSync(join(home, '.cuebook', 'agents/ada/agent.key.pem'), 'utf8');
    await platform('platform', 'admit', 'ada', '--new-key', newKey, '--by', 'olga');
    expect((await agent('sync')).code).toBe(0);
    expect((await agent('agent', 'key')).stdout.trim()).not.toBe(key);
    await agent('agent', '--once', '--json');
    expect(await fleet()).toMatchObject([{ agent: 'ada', state: 'current', vouched: true }]);
    const taken = readFileSync(join(home, '.cuebook', 'agents/ada/agent.key.pem'), 'utf8');
    writeFileSync(join(home, '.cuebook', 'agents/ada/agent.key.pem'), old);
    expect(JSON.parse((await agent('sync', '--json')).stdout).failures).toMatchObject([{ reason: 'denied' }]);
    writeFileSync(join(home, '.cuebook', 'agents/ada/agent.key.pem'), taken);
    expect((await agent('sync')).code).toBe(0);

    // Thrown out: the last good state stays, and every refusal is told.
    await platform('platform', 'expel', 'ada', '--by', 'rosa');
    const expelled = await agent('sync', '--json');
    expect(JSON.parse(expelled.stdout)).toMatchObject({
      active: true,
      cardVersion: 1,
      failures: [{ code: 'E_OBJECT', reason: 'denied' }],
    });
    expect((await agent('verify', '--all')).code).toBe(0);
  } finally {
    stop.abort();
    await served;
  }
});
