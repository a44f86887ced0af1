// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../process.mjs';

const FINISHED = {
  goal: 'Say who you are.',
  nodes: [{ alias: 'lead', role: 'orchestrator', provider: 'rehearsal' }],
};
const finish = { tool_call: { name: 'finish_run', args: { ok: true, summary: 'I am the lead.' } } };
const ask = {
  ...{ widgetId: 'region', type: 'selection', message: 'Which region is this for?' },
  options: [
    { value: 'eu', label: 'Europe' },
    { value: 'us', label: 'America' },
  ],
};

/**
 * Starts what the screens of a fresh sample show beside its team: a run that is over, a thread, and a workflow that asks.
 * Everything is rehearsed. One that cannot be started is left out: the sample is there to be seen, not to be whole.
 *
 * @param {string} link
 */
export async function startOthers(link) {
  const { createClient } = await import('../../packages/api/dist/index.js');
  const [url, token] = link.split('/#token=');
  const client = createClient({ url: url ?? '', ...(token === undefined ? {} : { token }) });
  const script = (/** @type {object} */ lanes) => JSON.stringify({ lanes });
  await Promise.all([
    client.startRun({
      team: { text: JSON.stringify(FINISHED) },
      script: script({ lead: [{ text: `I lead.\n\n${JSON.stringify(finish)}` }] }),
    }),
    client.startRun({
      ...{ target: 'agent:museum', input: 'May I touch the ropes?' },
      script: readFileSync(join(ROOT, 'examples', 'definitions-includes', 'script.yaml'), 'utf8'),
    }),
    client.startRun({
      target: 'workflow:workflows/request',
      script: script({ '*': [{ toolCalls: [{ name: 'ui.ask_user', args: ask }] }] }),
    }),
  ]);
}
