// @ts-check
const FINISHED = {
  goal: 'Say who you are.',
  nodes: [{ alias: 'lead', role: 'orchestrator', provider: 'rehearsal' }],
};
const finish = { tool_call: { name: 'finish_run', args: { ok: true, summary: 'I am the lead.' } } };
/** What the guide of the thread says, one for each thing that it is asked. */
const ANSWERS = [
  'You may touch the ropes. What else would you like to know?',
  'We are open from Tuesday to Sunday, ten to five.',
  'In a storm nobody goes onto the quay. Indoors there is enough to see.',
  'I am a script, and this was my last line: the next words find nobody to answer them.',
];
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
  const { REHEARSAL } = await import('../../apps/cli/dist/init/workflow/rehearsal.js');
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
      script: script({ museum: ANSWERS.map((text) => ({ text })) }),
    }),
    client.startRun({
      target: 'workflow:workflows/request',
      // It asks first, and goes on to its end with any answer.
      script: REHEARSAL.replace(
        '  "*":\n',
        (lane) => `${lane}    - toolCalls: ${JSON.stringify([{ name: 'ui.ask_user', args: ask }])}\n`,
      ),
    }),
  ]);
}
