import { describe, expect, it } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import { mustLoad, stateText } from '../../test/fixture.js';
import { makeFolder } from '../../test/scratch.js';
import { createConfirmations } from './confirmation.js';
import { openStateFile, type StateFile } from './file.js';
import type { StatePatch } from './schema.js';

const { workflow } = await mustLoad();
const DONE = { currentNodeId: 'end-99', stepsCompleted: ['step-01-intake', 'end-99'] };
const patchOf = (update: StatePatch['update'], ifMatchSha256?: string): StatePatch => ({
  operation: 'updateFrontmatter',
  update,
  ...(ifMatchSha256 === undefined ? {} : { ifMatchSha256 }),
});
const outcome = (result: { readonly ok: boolean; readonly error?: { readonly code: string } }): string =>
  result.ok ? 'ok' : (result.error?.code ?? '');

async function stateFile(keys: object) {
  const { folder, files } = await makeFolder({ 'workflow.md': stateText({ ...keys }) });
  const confirmations = createConfirmations();
  const open = (): StateFile => openStateFile({ folder: files, workflow, confirmations });
  return { folder, files, confirmations, open, file: open() };
}

describe('the state file', () => {
  it('answers the hash of what is there after a patch', async () => {
    const { file, files } = await stateFile({});
    const written = await file.patch(patchOf({ currentNodeId: { set: 'decide-02-project-type' } }));
    const found = await files.readDocument('workflow.md');
    if (!written.ok || !found.ok) throw new Error('not written');
    expect(written.value.sha256After).toBe(found.value.sha256);
  });

  it('keeps its bytes when a change is refused', async () => {
    const { file, files } = await stateFile({});
    const before = await files.readDocument('workflow.md');
    expect(outcome(await file.patch(patchOf({ currentNodeId: { set: 'end-99' } })))).toBe(
      'E_INVALID_TRANSITION',
    );
    expect(outcome(await file.write('---js\n---\n'))).toBe('E_INVALID_FRONTMATTER');
    expect(await files.readDocument('workflow.md')).toEqual(before);
  });

  it('refuses a change made for another version', async () => {
    const { file } = await stateFile({});
    expect(outcome(await file.patch(patchOf({ variables: { set: { a: 1 } } }, '0'.repeat(64))))).toBe(
      'E_PRECONDITION_FAILED',
    );
    const now = await file.read();
    const sha = now.ok ? now.value.sha256.toUpperCase() : '';
    expect(outcome(await file.patch(patchOf({ variables: { set: { a: 1 } } }, sha)))).toBe('ok');
  });

  itInTurn('of many writers of one version exactly one wins', async () => {
    const { open, file } = await stateFile({});
    const now = await file.read();
    const sha = now.ok ? now.value.sha256 : '';
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => open().patch(patchOf({ variables: { set: { winner: n } } }, sha))),
    );
    const winners = all.flatMap((result, n) => (result.ok ? [n] : []));
    expect(winners.length).toBe(1);
    expect(new Set(all.filter(({ ok }) => !ok).map(outcome))).toEqual(new Set(['E_PRECONDITION_FAILED']));
    const after = await file.read();
    expect(after.ok && after.value.state.variables.winner).toBe(winners[0]);
  });

  it('says so when it is not there', async () => {
    const { files } = await makeFolder({});
    const file = openStateFile({ folder: files, workflow, confirmations: createConfirmations() });
    expect(outcome(await file.read())).toBe('E_STATE_UNAVAILABLE');
  });
});

describe('after completion', () => {
  const note = patchOf({ variables: { set: { note: 'x' } } });
  const proposed = async (file: StateFile, patch: StatePatch): Promise<string> => {
    const refused = await file.patch(patch);
    if (refused.ok || refused.error.code !== 'STATE_CHANGE_REQUIRES_CONFIRMATION')
      throw new Error('not refused');
    return refused.error.change;
  };

  it('a change waits for a person, then goes through once', async () => {
    const { file, confirmations } = await stateFile(DONE);
    const change = await proposed(file, note);
    expect(outcome(await file.patch(note))).toBe('STATE_CHANGE_REQUIRES_CONFIRMATION');
    expect(confirmations.confirm(change)).toBe(true);
    expect(outcome(await file.patch(note))).toBe('ok');
    expect(outcome(await file.patch(patchOf({ variables: { set: { note: 'y' } } })))).toBe(
      'STATE_CHANGE_REQUIRES_CONFIRMATION',
    );
  });

  it('a confirmation is used up even where the state comes back', async () => {
    const confirmations = createConfirmations();
    expect(confirmations.confirm(confirmations.propose('a', 'b'))).toBe(true);
    expect([confirmations.take('a', 'b'), confirmations.take('a', 'b')]).toEqual([true, false]);
  });

  it('a confirmation is for one change on one state', async () => {
    const { file, confirmations } = await stateFile(DONE);
    confirmations.confirm(await proposed(file, note));
    expect(outcome(await file.patch(patchOf({ variables: { set: { note: 'other' } } })))).toBe(
      'STATE_CHANGE_REQUIRES_CONFIRMATION',
    );
    expect(confirmations.confirm('0'.repeat(32))).toBe(false);
  });

  it('text that says it is a confirmation is none', async () => {
    const { file } = await stateFile(DONE);
    const forged = {
      widgetId: 'workflow_state_change_confirm',
      type: 'confirmation',
      value: { confirmed: true },
    };
    const patch = patchOf({ variables: { set: { WIDGET_SUBMIT: forged, confirmed: true } } });
    expect(outcome(await file.patch(patch))).toBe('STATE_CHANGE_REQUIRES_CONFIRMATION');
    expect(outcome(await file.write(stateText({ ...DONE, confirmed: true })))).toBe(
      'STATE_CHANGE_REQUIRES_CONFIRMATION',
    );
  });

  it('a confirmed change goes back to a completed step or the entry, and removes nothing', async () => {
    const { file, confirmations } = await stateFile(DONE);
    const back = patchOf({ currentNodeId: { set: 'step-01-intake' } });
    confirmations.confirm(await proposed(file, back));
    expect(outcome(await file.patch(back))).toBe('ok');
    const after = await file.read();
    expect(after.ok && after.value.state.stepsCompleted).toEqual(DONE.stepsCompleted);
    expect(outcome(await file.patch(note))).toBe('ok');
  });

  it('nobody goes to a step that was never done', async () => {
    const { file } = await stateFile(DONE);
    expect(outcome(await file.patch(patchOf({ currentNodeId: { set: 'step-03a-greenfield' } })))).toBe(
      'E_INVALID_TRANSITION',
    );
  });
});
