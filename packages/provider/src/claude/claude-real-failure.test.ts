import { expect } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { itInTurn as it, itInSoak } from '../../../../test/runs.js';
import { children, claudeDesk, write } from '../../test/claude-desk.js';
import { eventsOf, play, requestOf } from '../../test/play.js';

describePart('claude', 'Claude Code in trouble', ({ path }) => {
  const claude = claudeDesk(path);

  itInSoak.each([
    [401, 'E_PROVIDER_AUTH', false],
    [429, 'E_PROVIDER_RATE', true],
    [500, 'E_PROVIDER_DOWN', true],
    [400, 'E_PROVIDER_REJECTED', false],
  ])('ends with an error on HTTP %i, and takes the next turn', async (status, code, retryable) => {
    const { open, script } = claude.provider();
    let isDown = true;
    const answer = () =>
      isDown ? { error: { status, headers: { 'retry-after': '1' } } } : { text: 'Back.' };
    // It tries a refused request in several forms.
    script(...Array.from({ length: 50 }, () => answer));
    const session = open();
    const turn = await play(session, {});
    expect(turn.end).toMatchObject({ reason: 'error', error: { code, retryable, status } });
    expect(turn.text).toBe('');
    isDown = false;
    const next = await play(session, {});
    await session.close();
    expect([next.end.reason, next.text]).toEqual(['done', 'Back.']);
  });

  itInSoak('waits as long as it is told to, and tries again', async () => {
    const { lane, open, script } = claude.provider({ CLAUDE_CODE_MAX_RETRIES: '2' });
    script({ error: { status: 429, headers: { 'retry-after': '1' } } }, { text: 'Recovered.' });
    const session = open();
    const turn = await play(session, {});
    await session.close();
    expect([turn.end.reason, turn.text]).toEqual(['done', 'Recovered.']);
    expect(eventsOf(turn, 'log')[0]?.text).toContain('status 429');
    const [first, second] = claude.desk.server.lane(lane).requests.filter(({ side }) => !side);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(900);
  });

  itInSoak('says that it is not signed in', async () => {
    const { open } = claude.provider({ ANTHROPIC_API_KEY: '' });
    const session = open();
    const turn = await play(session, {});
    await session.close();
    expect(turn.end).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_AUTH' } });
  });

  itInSoak('stops at once when told to, and the same process takes the next turn', async () => {
    const { lane, open, script } = claude.provider();
    script({ text: 'A long story begins', hang: true }, { text: 'Fine.' });
    const session = open();
    const stop = new AbortController();
    const turn = await play(
      session,
      { signal: stop.signal },
      (event) => event.type === 'text.delta' && stop.abort(),
    );
    expect(turn.end).toEqual({ type: 'turn.end', reason: 'aborted' });
    expect('A long story begins').toContain(turn.text);
    expect(turn.text).not.toBe('');
    const [before] = await children();
    const next = await play(session, { delta: requestOf('next') });
    expect([next.end.reason, next.text, next.sent.length]).toEqual(['done', 'Fine.', 1]);
    expect(await children()).toEqual([before]);
    await session.close();
    expect(await children()).toEqual([]);
    expect(claude.bodies(lane)[1]).toContain('next');
  });

  itInSoak('ends a turn that falls silent', async () => {
    const { open, script } = claude.provider();
    script({ text: 'Then', hang: true });
    const session = open();
    const turn = await play(session, { limits: { idleMs: 1500 } });
    await session.close();
    expect(turn.end).toMatchObject({ reason: 'timeout', error: { code: 'E_PROVIDER_TIMEOUT' } });
  });

  it('survives a kill in mid-stream: the turn fails, the session goes on', async () => {
    const { lane, open, script } = claude.provider();
    script({ text: 'Half of', hang: true }, { text: 'Whole.' });
    const session = open();
    let isStruck = false;
    let sessionId = '';
    const strike = async (): Promise<void> => {
      // It writes its own record a moment after it has begun to speak: what is not in there it cannot go on with.
      await expect.poll(() => claude.transcript(sessionId)).toContain('remember me');
      for (const pid of await children()) process.kill(pid, 'SIGKILL');
    };
    const turn = await play(session, { say: 'remember me' }, (event) => {
      if (event.type === 'turn.start') sessionId = event.sessionId ?? '';
      if (event.type !== 'text.delta' || isStruck) return;
      isStruck = true;
      void strike();
    });
    expect(turn.end).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_EXIT', retryable: true } });
    expect(turn.text).not.toBe('');
    const next = await play(session, { delta: requestOf('go on') });
    await session.close();
    expect([next.end.reason, next.text]).toEqual(['done', 'Whole.']);
    expect(claude.bodies(lane)[1]).toMatch(/remember me.*go on/);
  });

  itInSoak('says that it does not know a session, or begins it anew with the full prompt', async () => {
    const { lane, open, script } = claude.provider();
    script({ text: 'New.' });
    const resume = '00000000-0000-4000-8000-00000000dead';
    const session = open({ resume });
    const lost = await play(session, { delta: requestOf('go on') });
    expect(lost.end).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_SESSION' } });
    expect(claude.bodies(lane)).toEqual([]);
    const anew = await play(session, { say: 'everything' });
    await session.close();
    expect([anew.end.reason, anew.text, anew.sessionId]).toEqual(['done', 'New.', resume]);
    expect(eventsOf(anew, 'log')[0]?.text).toContain('begins anew');
  });

  itInSoak('stops while it waits for an answer, and takes the next turn', async () => {
    const { open, script } = claude.provider();
    script({ toolCalls: [write('never.txt')] }, { text: 'Fine.' });
    const session = open({ ask: true });
    const stop = new AbortController();
    const turn = await play(session, {
      signal: stop.signal,
      onApproval: () => {
        stop.abort();
        return new Promise(() => {});
      },
    });
    expect(turn.end.reason).toBe('aborted');
    expect(eventsOf(turn, 'tool.end')).toMatchObject([{ name: 'Write', isError: true }]);
    const next = await play(session, { delta: requestOf('next') });
    await session.close();
    expect([next.end.reason, next.text]).toEqual(['done', 'Fine.']);
    expect(claude.desk.files()).not.toContain('never.txt');
  });
});
