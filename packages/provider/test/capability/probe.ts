import type { ApprovalAnswer, ProviderCapabilities, Session, SessionOptions } from '../../src/turn.js';
import { eventsOf, type Played, play, requestOf } from '../play.js';
import type { Act, Begun, Stand } from './stand.js';

/** Whether a provider really does it. Each probe looks at what happened, never at what the provider says it can. */
export type Probe = (stand: Stand) => Promise<boolean>;

const WRITE = { kind: 'write', file: 'one.txt' } as const;
const HANG = { kind: 'hang', text: 'one two three four five six' } as const;
const NEXT = { kind: 'say', text: 'Next.' } as const;

export const PROBES: Readonly<Record<keyof ProviderCapabilities, Probe>> = {
  /** Text is there while the answer is still being made. */
  async streams(stand) {
    const { played } = await breakOff(stand);
    return played.text !== '' && played.end.reason === 'aborted';
  },

  /** A turn is ended in its middle, and the session goes on. */
  async interrupts(stand) {
    const { played, next } = await breakOff(stand);
    return played.end.reason === 'aborted' && next.end.reason === 'done' && next.text.includes('Next.');
  },

  /** A later process knows what was said to an earlier one. */
  async resumes(stand) {
    const begun = stand.begin([{ kind: 'say', text: 'First.' }, NEXT]);
    const told = stand.words({ kind: 'say', text: 'First.' }, 'remember the heron');
    const { sessionId = '' } = await once(begun, {}, (session) => play(session, { say: told }));
    begun.between?.();
    const again = stand.words(NEXT, 'which bird');
    const later = await once(begun, { resume: sessionId }, (session) =>
      play(session, { say: `${again} ${told}`, delta: requestOf(again) }),
    );
    return later.end.reason === 'done' && begun.knew(later);
  },

  /** It asks before it acts, and does not act when the answer is no. */
  async approves(stand) {
    const { played, begun } = await write(stand, { ask: true, access: 'edit' }, () => ({
      decision: 'deny',
      message: 'not now',
    }));
    return eventsOf(played, 'approval.request').length > 0 && !begun.isMade('one.txt');
  },

  /** What it does is what the answer says. */
  async changesInput(stand) {
    const { begun } = await write(stand, { ask: true, access: 'edit' }, (input) => ({
      decision: 'change',
      input: JSON.parse(JSON.stringify(input).replaceAll('one.txt', 'two.txt')),
    }));
    return begun.isMade('two.txt') && !begun.isMade('one.txt');
  },

  /** It acts when it may, and does not when it is to plan. */
  async planning(stand) {
    const free = await write(stand, { access: 'full' });
    const held = await write(stand, { access: 'plan' });
    const isHeld = held.played.end.reason === 'done' && !held.begun.isMade('one.txt');
    return free.begun.isMade('one.txt') && isHeld;
  },

  /** Our own tool reaches its model, and the call reaches us by name and with its input. */
  async nativeTools(stand) {
    const act = { kind: 'tool' } as const;
    const begun = stand.begin([act]);
    const request = requestOf(stand.words(act), [{ name: 'spawn_node', description: 'Starts a node.' }]);
    const callTool = async () => ({ output: 'made' });
    const played = await once(begun, { access: 'edit' }, (session) => play(session, { request, callTool }));
    return eventsOf(played, 'tool.end').some(
      ({ name, by, input }) =>
        name === 'spawn_node' && by === 'caller' && JSON.stringify(input) === '{"label":"a"}',
    );
  },
};

async function once<Value>(
  { enter }: Begun,
  options: Partial<SessionOptions>,
  work: (session: Session) => Promise<Value>,
): Promise<Value> {
  const session = enter(options);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

function breakOff(stand: Stand): Promise<{ played: Played; next: Played }> {
  const stop = new AbortController();
  return once(stand.begin([HANG, NEXT]), {}, async (session) => {
    const input = { say: stand.words(HANG), signal: stop.signal, limits: { idleMs: 20_000 } };
    const played = await play(session, input, ({ type }) => {
      if (type === 'text.delta') stop.abort();
    });
    return { played, next: await play(session, { say: stand.words(NEXT) }) };
  });
}

async function write(
  stand: Stand,
  options: Partial<SessionOptions>,
  answer: (input: unknown) => ApprovalAnswer = () => ({ decision: 'allow' }),
): Promise<{ played: Played; begun: Begun }> {
  const begun = stand.begin([WRITE]);
  const played = await once(begun, options, (session) =>
    play(session, { say: stand.words(WRITE satisfies Act), onApproval: async ({ input }) => answer(input) }),
  );
  return { played, begun };
}
