import { promptHash } from '@cuebook/journal';
import { type BlockInput, composeRequest, createComposeMemo, createRedactor } from '@cuebook/prompt';
import { measure, print } from './measure.js';

// The 200th step of a conversation of 400 KB, composed anew and with what the steps before it left in a memo. Every
// step is told in objects and strings of its own, as a state that was read again tells it.

const BAR = 10;
const STEPS = 200;
const CALLS = 6;

const redactor = createRedactor({
  roots: [
    ['@project', '/home/quinnray/desk/alpha'],
    ['@state', '/home/quinnray/.local/state/alpha'],
  ],
  private: ['/home/quinnray', '/tmp/quinnray-1000'],
  names: ['quinnray', 'thinkpad-x9'],
});
const TOOLS = Array.from({ length: 10 }, (_, at) => ({
  name: `look_up_${at}`,
  description: `Looks up ${at}, and answers with what was found and where.`,
  parameters: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
}));

const WORDS =
  'the agent reads a file under docs/guide and says what changed, why, and what was not checked'.split(' ');

/** About 2 KB that no other step has. */
function words(seed: number): string {
  const parts: string[] = [];
  let state = seed * 2654435761 + 1;
  for (let at = 0; at < 370; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    parts.push(`${WORDS[state % WORDS.length]}${at % 15 === 14 ? `, ${state % 997}.\n` : ' '}`);
  }
  return parts.join('');
}

const message = (conversation: number, at: number): BlockInput => ({
  name: `message-${at + 1}`,
  role: at % 2 === 0 ? 'user' : 'assistant',
  pieces: [
    {
      text: words(conversation * STEPS + at),
      origin: { kind: 'result', ref: `message ${at}` },
      trust: at % 2 === 0 ? 'user' : 'agent',
      secrecy: 'public',
      volatility: 'session',
    },
  ],
});

const system: BlockInput = {
  name: 'system',
  role: 'system',
  pieces: Array.from({ length: 20 }, (_, at) => ({
    text: `Rule ${at}: be brief, and name what you did not check.\n`,
    origin: { kind: 'file' as const, ref: 'system.md', line: at + 1, column: 1 },
    trust: 'author' as const,
    secrecy: 'public' as const,
    volatility: 'deploy' as const,
  })),
};

const task = (step: number): BlockInput => ({
  name: 'task',
  role: 'user',
  pieces: [
    {
      text: `This is step ${step}.`,
      origin: { kind: 'shipped', ref: 'bench' },
      trust: 'platform',
      secrecy: 'public',
      volatility: 'turn',
    },
  ],
});

const inputOf = (history: readonly BlockInput[], step: number) => ({
  ...(JSON.parse(
    JSON.stringify({ blocks: [system, ...history.slice(0, step), task(step)], tools: TOOLS }),
  ) as {
    blocks: BlockInput[];
    tools: typeof TOOLS;
  }),
  hash: promptHash,
  redactor,
});

function must<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

const fresh = (conversation: number) => {
  const history = Array.from({ length: STEPS }, (_, at) => message(conversation, at));
  const memo = createComposeMemo();
  for (let step = 1; step < STEPS; step += 1) must(composeRequest({ ...inputOf(history, step), memo }));
  return { anew: inputOf(history, STEPS), warm: inputOf(history, STEPS), memo };
};

const { anew, warm, memo } = fresh(1_000_000);
const whole = must(composeRequest(anew));
if (JSON.stringify(must(composeRequest({ ...warm, memo }))) !== JSON.stringify(whole))
  throw new Error('the two outputs differ');

const times = await measure({
  fresh,
  calls: CALLS,
  rounds: 8,
  contenders: [
    { name: 'anew', run: (input) => must(composeRequest(input.anew)) },
    { name: 'with a memo', run: (input) => must(composeRequest({ ...input.warm, memo: input.memo })) },
  ],
});
print(
  `\nstep ${STEPS}: ${whole.prompt.blocks.length} blocks, ${Buffer.byteLength(whole.prompt.text)} bytes`,
  times,
);
const [base = 0, ours = 1] = times.values();
const failed = base / ours < BAR;
console.log(failed ? `\nthe bar of ${BAR}x is missed` : `\nthe bar of ${BAR}x is met`);
process.exitCode = failed ? 1 : 0;
