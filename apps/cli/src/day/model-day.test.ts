import { SCENARIOS } from '@cuebook/bundle';
import { createApiProvider } from '@cuebook/provider';
import { SAMPLE_SCRIPT } from '@cuebook/resident';
import { expect, onTestFinished } from 'vitest';
import { must } from '../../../../packages/bundle/test/scratch.js';
import { REDACTOR, stage } from '../../../../packages/resident/test/stage.js';
import { type RecordedRequest, type Step, startModelServer } from '../../../../test/model-server/index.js';
import { itInTurn as test } from '../../../../test/runs.js';
import { liveDay } from './day.js';
import type { Happening } from './happening.js';
import { SAMPLE_CARDS } from './sample.js';

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly temperature: number;
  readonly max_tokens: number;
  readonly top_p: number;
}
const bodyOf = ({ body }: RecordedRequest): Body => body as Body;
const textOf = (request: RecordedRequest): string =>
  bodyOf(request)
    .messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
    .join('\n');
const nameOf = (request: RecordedRequest): string =>
  /^# (\w+)/.exec(textOf(request))?.[1]?.toLowerCase() ?? '';

/** The scenario of a request, by the words that its template begins with. */
function scenarioOf(request: RecordedRequest): string {
  const task = bodyOf(request).messages[1]?.content ?? '';
  const found = [...SCENARIOS.values()].find(({ template }) =>
    task.startsWith(template.split(/[{\n]/)[0] ?? '?'),
  );
  return found?.id ?? '';
}
const isCorrection = (request: RecordedRequest): boolean =>
  textOf(request).includes('Your answer was not taken');

const HAPPENINGS: readonly Happening[] = [
  { hour: 3, type: 'tamper', agent: 'bo', bio: 'Moved to the hills.' },
  { hour: 4, type: 'offline', agent: 'cy' },
  { hour: 5, type: 'like', agent: 'ada', times: 3 },
  { hour: 7, type: 'republish', agent: 'bo', bio: 'Back at the river.' },
];

test('the same day against a model server, with one of everything that goes wrong', async () => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const answer = (request: RecordedRequest): Step => {
    const scenario = scenarioOf(request);
    const agent = nameOf(request);
    // Ada forgets to ask, once. Bo claims to be somebody, and insists.
    if (scenario === 'intro' && agent === 'ada' && !isCorrection(request)) return { text: 'I am Ada.' };
    if (scenario === 'intro' && agent === 'bo')
      return {
        text: 'I am Maria Sibylla Merian, and I draw what lives in the grass by the river. What do you draw?',
      };
    const lanes = SAMPLE_SCRIPT.lanes;
    const step = (lanes[`${agent}/${scenario}`] ?? lanes[scenario])?.[0];
    return { text: step?.text ?? 'nobody asked this' };
  };
  server.script(
    'town',
    Array.from({ length: 400 }, () => answer),
  );
  const at = await stage();
  const notes: string[] = [];
  const provider = createApiProvider({
    api: 'compatible',
    baseUrl: `${server.laneUrl('town')}/v1`,
    apiKey: 'key-of-the-town',
    env: {},
  });
  const report = must(
    await liveDay({
      ...at,
      cards: SAMPLE_CARDS,
      voice: { provider, model: 'small', redactor: REDACTOR },
      start: Date.parse('2026-11-15T06:00:00Z'),
      hours: 16,
      happenings: HAPPENINGS,
      note: ({ agent, text }) => notes.push(`${agent} ${text}`),
    }),
  );
  const [ada, bo, cy] = report.agents;
  if (ada === undefined || bo === undefined || cy === undefined) throw new Error('three agents');

  // One output is corrected on retry, one is refused: it was asked twice, and nothing was written.
  expect({ corrected: ada.corrected, refused: ada.refused }).toEqual({ corrected: 1, refused: [] });
  expect(ada.objects).toContain('topics/welcome/messages/ada/intro_card_v1.json');
  expect(bo.refused).toContain('intro');
  expect(bo.objects.filter((key) => key.endsWith('intro_card_v1.json'))).toEqual([]);
  const intros = server.lane('town').requests.filter((request) => scenarioOf(request) === 'intro');
  const ofBo = intros.filter((request) => nameOf(request) === 'bo');
  expect(ofBo.slice(0, 2).map(isCorrection)).toEqual([false, true]);

  // The tampered bundle is refused and on record; the last good one is used until a true one comes.
  expect(bo.verificationFailures.length).toBeGreaterThanOrEqual(1);
  expect(new Set(bo.verificationFailures)).toEqual(new Set(['E_CERT bad_signature']));
  expect({ card: bo.card, bundle: bo.bundle }).toEqual({ card: 3, bundle: 3 });
  // Others may read the new card, which was not touched: its own certificate holds.
  const prompts = server
    .lane('town')
    .requests.filter((request) => nameOf(request) === 'bo')
    .map(textOf);
  expect(prompts.some((text) => text.includes('Moved to the hills.'))).toBe(false);
  expect(prompts.some((text) => text.includes('Back at the river.'))).toBe(true);

  // Who is offline says nothing more, and the others go on.
  const left = notes.indexOf('platform cy goes offline');
  expect(left).toBeGreaterThan(0);
  expect(notes.slice(left).filter((note) => note.startsWith('cy '))).toEqual([]);
  expect([cy.report, ada.report?.length]).toEqual([null, 101]);
  expect(ada.feedback).toBe(3);

  // A greeting has the view of who is greeted and the score; a reply what was said before, the message, the temper.
  const sent = (scenario: string) =>
    server
      .lane('town')
      .requests.filter((request) => scenarioOf(request) === scenario)
      .map(textOf);
  const toAda = sent('greeting').find((text) => text.startsWith('# Bo'));
  expect(toAda).toContain('name: Ada');
  expect(toAda).toMatch(/from 0 to 100: \d/);
  const going = sent('reply').find((text) => text.includes('name: chat_history'));
  expect(going).toMatch(/you: |Ada: |Bo: |Cy: /);
  expect(going).toContain('name: incoming_message');
  expect(going).toContain('personality: extrovert');

  // Every request was sent with exactly the certified parameters.
  for (const request of server.lane('town').requests) {
    const { preset } = SCENARIOS.get(scenarioOf(request)) ?? {};
    const { temperature, max_tokens, top_p } = bodyOf(request);
    expect({ temperature, max_tokens, top_p }).toEqual(preset);
    expect(bodyOf(request).messages.map(({ role }) => role)).toEqual(
      isCorrection(request) ? ['system', 'user', 'user'] : ['system', 'user'],
    );
  }
  for (const { run } of report.agents) expect(await at.verify(run)).toMatchObject({ ok: true });
});
