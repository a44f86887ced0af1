import { readFileSync, writeFileSync } from 'node:fs';
import { readProviderConfig } from '@cuebook/provider';
import { afterEach, expect, it } from 'vitest';
import ledger from '../../../examples/kind-ledger/ledger.mjs';
import { ROOT } from '../../../test/root.js';
import { hostStand, must, type Stand, until } from './stand.js';

let stand: Stand | undefined;
afterEach(() => stand?.remove());

/** An agent that keeps the history of its session, and says how often it was told the rules in it when it may. */
const PROGRAM = `
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
let heard = '';
for await (const line of createInterface({ input: process.stdin })) {
  const { kind, prompt } = JSON.parse(line);
  if (kind !== 'prompt') continue;
  heard += prompt;
  process.stdout.write(JSON.stringify({ kind: 'text', text: 'I was ' }) + '\\n');
  while (!existsSync(process.argv[2])) await new Promise((resolve) => setTimeout(resolve, 20));
  const text = 'told ' + (heard.split('You keep the ledger').length - 1) + ' time(s)';
  for (const each of [{ kind: 'text', text }, { kind: 'end' }]) process.stdout.write(JSON.stringify(each) + '\\n');
}
`;

it('an agent that keeps the history is told the conversation once in a session', async () => {
  stand = await hostStand({
    kinds: [ledger],
    files: {
      'ledgers/shop.md': readFileSync(`${ROOT}/examples/kind-ledger/ledgers/shop.md`, 'utf8'),
      'agent.mjs': PROGRAM,
    },
  });
  const command = JSON.stringify(process.execPath);
  const args = JSON.stringify([`${stand.project}/agent.mjs`, `${stand.project}/go`]);
  const own = `provider: own\nproviders:\n  own: { kind: line, command: ${command}, args: ${args} }\n`;
  const host = await stand.open({
    providers: { config: must(readProviderConfig(own, 'cuebook.yaml')), env: { PATH: process.env.PATH } },
  });
  const { run } = must(await host.begin({ id: 'start', by: 'ann', target: 'ledger:shop', input: 'Begin.' }));
  await new Promise<void>((resolve) => host.watch(run, () => resolve()));
  // Words that come in mid-turn are told with the turn behind it, which follows at once.
  must(await host.tell(run, { type: 'say', text: 'More.' }, { id: 'more', by: 'ann' }));
  writeFileSync(`${stand.project}/go`, '');
  const report = await until(host, run, (each) => each.status !== 'running' && each.turns === 2);
  expect(report.text).toBe('I was told 1 time(s)');
});
