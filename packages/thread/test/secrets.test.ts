import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunId } from '@cuebook/journal';
import type { ScriptStep } from '@cuebook/provider';
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { itInTurn as it, runs } from '../../../test/runs.js';
import type { ThreadLiveEvent } from '../src/drive/parts.js';
import { desk, hook, tool } from './project.js';
import { openStand, type Stand } from './stand.js';

const SECRET = "{ name: 'KEY', type: 'secret', required: true, description: 'The key' }";
/** Tells its secret in every spelling that it knows. */
const BLABS = tool(
  `const key = state.env('KEY');
   const spelled = {
     plain: key, base64: Buffer.from(key).toString('base64'), hex: Buffer.from(key).toString('hex'),
     url: encodeURIComponent(key), json: JSON.stringify(JSON.stringify({ key })), upper: key.toUpperCase(),
     middle: Buffer.from('user:' + key).toString('base64'),
   }[args.how];
   if (args.how === 'throws') throw new Error('cannot use ' + key);
   if (args.how === 'sets') { await state.setEnv('OTHER', args.other, { type: 'secret' }); return { status: 'success', result: 'now ' + args.other }; }
   if (args.how === 'notes') { await state.notifyParent(key); return { status: 'success', result: 'noted' }; }
   return { status: args.how === 'hex' ? 'error' : 'success', result: 'it is ' + spelled + ', you see', error: spelled };`,
  `args: z.object({ how: z.string(), other: z.string().optional() }), variables: [${SECRET}],`,
);

const HOWS = ['plain', 'base64', 'hex', 'url', 'json', 'upper', 'middle', 'throws', 'notes', 'sets'] as const;

let stand: Stand;
const steps: ScriptStep[] = [];
const heard: ThreadLiveEvent[] = [];
beforeAll(async () => {
  stand = await openStand(
    desk("tools: ['blabs'], hooks: ['adds', 'shouts'], includeChat: true, includePastTools: true,", {
      'tools/blabs.ts': BLABS,
      'hooks/adds.ts': hook(
        'before_create_message',
        'adds',
        "return { ...args[0], content: (args[0].content ?? '') + ' ' + state.env('KEY'), note: state.env('KEY') };",
      ),
      'hooks/shouts.ts': hook('after_create_message', 'shouts', "throw new Error('no ' + state.env('KEY'));"),
    }),
    { '*': steps },
    { publish: (event) => heard.push(event) },
  );
});
afterAll(() => stand.close());

/** Long enough to be one, and of letters that JSON leaves as they are. */
const secret = fc
  .string({
    unit: fc.constantFrom(...'abcdefghkmnpqrstuvwxyzABCDEFGHKMNP23456789_-.+/='),
    minLength: 12,
    maxLength: 40,
  })
  .filter((text) => /[a-zA-Z]{2}/.test(text) && /\d/.test(text) && !'[removed:credential]'.includes(text));

it('a secret is in no request, event, stored message, log line or error, whatever a tool, a hook or a model says', async () => {
  let count = 0;
  const all: string[] = [];
  await fc.assert(
    fc.asyncProperty(
      secret,
      secret,
      fc.shuffledSubarray([...HOWS], { minLength: 2, maxLength: 4 }),
      async (key, other, hows) => {
        count += 1;
        const run = `run_secret${count}` as RunId;
        heard.length = 0;
        const before = stand.requests.length;
        steps.push(
          ...hows.map((how) => ({
            reasoning: `I know ${key}.`,
            text: `The key is ${key}, I say. ${'And so on. '.repeat(40)}`,
            toolCalls: [{ name: 'blabs', args: { how, other: how === 'sets' ? other : key } }],
          })),
          { text: `Again: ${key}${hows.includes('sets') ? ` and ${other}` : ''}.` },
        );
        const begun = await stand.threads.start({
          run,
          agent: 'desk',
          text: `Use ${key}.`,
          env: { KEY: key },
        });
        if (!begun.ok) throw new Error(JSON.stringify(begun.error));
        await stand.threads.drain();
        const state = await stand.threads.read(run);
        expect(state.frames.main?.outcome).toMatchObject({ status: 'done' });
        const written = JSON.stringify([
          await stand.store.read(run, { limit: 10_000 }),
          stand.requests.slice(before),
          state,
          heard,
        ]);
        for (const value of [key, Buffer.from(key).toString('base64'), Buffer.from(key).toString('hex')])
          expect(written.includes(value)).toBe(false);
        // The second one was said by the model before it was a secret: what is stored from then on is clean.
        all.push(key);
        expect(state.frames.main?.messages.at(-1)?.text).not.toContain(key);
        if (hows.includes('sets')) expect(state.frames.main?.messages.at(-1)?.text).not.toContain(other);
      },
    ),
    runs(12, 400),
  );
  const home = join(stand.folder, 'home');
  for (const file of readdirSync(home).filter((name) => name.startsWith('journal.db'))) {
    const bytes = readFileSync(join(home, file), 'latin1');
    for (const key of all) expect(bytes.includes(key)).toBe(false);
  }
});
