import { createRedactor } from '@cuebook/prompt';
import type { Session } from '@cuebook/provider';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { createHeldSessions, isSameHold, type TurnHold } from './held-sessions.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const hold = (token: number, more: Partial<TurnHold> = {}): TurnHold => ({
  fence: { scope: 'lane', token },
  attempt: 1,
  signal: new AbortController().signal,
  ...more,
});

/** What happens to a conversation that two processes work on, each with its own open session. */
const happening = fc.record({
  by: fc.constantFrom(0, 1),
  /** The lane was let go of before, so that this turn has another token. */
  anew: fc.boolean(),
  /** The turn was said, and its outcome was not written: the lane was lost, or the log was away. */
  fate: fc.constantFrom('written', 'written', 'lost', 'unwritten'),
});

describe('open sessions', () => {
  it('have heard what the run knows, whoever took its turns and whatever became of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 20 }), async (happenings) => {
        const known: number[] = [];
        const heard = new Map<Session, number[]>();
        const processes = [createHeldSessions(), createHeldSessions()];
        let token = 1;
        let attempt = 1;
        let holder = 0;
        for (const [step, { by, anew, fate }] of happenings.entries()) {
          if (by !== holder || anew) token += 1;
          holder = by;
          const end = new AbortController();
          const turn = hold(token, { attempt, signal: end.signal });
          const session = await processes[by]?.of({ key: 'k', turn, redactor }, () => {
            const opened: Session = { turn: async function* () {}, close: async () => undefined };
            heard.set(opened, [...known]);
            return opened;
          });
          const words = heard.get(session as Session);
          expect(words).toEqual(known);
          words?.push(step);
          if (fate === 'lost') end.abort();
          if (fate === 'written') known.push(step);
          if (fate === 'lost') token += 1;
          attempt = fate === 'written' ? 1 : attempt + 1;
        }
      }),
      runs(200, 20_000),
    );
  });

  it('are closed when another takes their place, and when all are', async () => {
    const closed: string[] = [];
    const open = (name: string) => (): Session => ({
      turn: async function* () {},
      close: async () => void closed.push(name),
    });
    const sessions = createHeldSessions();
    const wanted = { key: 'k', turn: hold(1), redactor };
    const first = await sessions.of(wanted, open('first'));
    expect(await sessions.of({ ...wanted, turn: hold(2) }, open('second'))).toBe(first);
    const other = createRedactor({ roots: [], private: [], names: [] });
    await sessions.of({ ...wanted, redactor: other }, open('third'));
    await sessions.of({ ...wanted, key: 'other' }, open('fourth'));
    expect(closed).toEqual(['first']);
    await sessions.close();
    expect(closed).toEqual(['first', 'third', 'fourth']);
  });

  it('serve what one turn asks beside itself, also when it is taken again', async () => {
    const again = hold(1, { attempt: 2 });
    const sessions = createHeldSessions();
    const open = (): Session => ({ turn: async function* () {}, close: () => expect.unreachable('closed') });
    const picture = await sessions.of({ key: 'k', turn: again, redactor }, open);
    expect(await sessions.of({ key: 'k', turn: again, redactor }, open)).toBe(picture);
  });

  it.each([
    ['the next turn of one holder', hold(1), hold(1), true],
    ['the lane taken again at once', hold(1), hold(2), true],
    ['a holder between them', hold(1), hold(3), false],
    ['an older holder', hold(2), hold(1), false],
    ['a second try', hold(1), hold(1, { attempt: 2 }), false],
    ['a turn that was ended', hold(1, { signal: AbortSignal.abort() }), hold(1), false],
    ['another lane', hold(1), hold(1, { fence: { scope: 'other', token: 1 } }), false],
  ])('%s', (_title, before, now, isSame) => {
    expect(isSameHold(before, now)).toBe(isSame);
  });
});
