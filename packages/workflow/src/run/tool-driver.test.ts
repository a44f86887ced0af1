import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EffectIntent, ToolCallInput } from '@cuebook/engine';
import { openFolder } from '@cuebook/files';
import { createRedactor, type JsonValue } from '@cuebook/prompt';
import { NO_SERVERS } from '@cuebook/provider/servers';
import { describe, expect, it } from 'vitest';
import { mustLoad, packageTexts, stateText } from '../../test/fixture.js';
import { makeRoot } from '../../test/scratch.js';
import { openWorkflowMounts } from '../mount/mounts.js';
import { mergePolicies } from '../policy/policy.js';
import { openAudit } from '../tool/audit.js';
import { openCallLog } from '../tool/call-log.js';
import { createToolDriver } from './tool-driver.js';

const DECIDE = {
  stepsCompleted: ['step-01-intake'],
  currentNodeId: 'decide-02-project-type',
};
const LOGGED = { from: 'decide-02-project-type', to: 'step-03a-greenfield', label: 'greenfield' };
const PATCH: JsonValue = {
  path: '@state/workflow.md',
  patch: { operation: 'updateFrontmatter', update: { decisionLog: { append: [LOGGED] } } },
};

/** The driver of a run on real folders, with the log of its calls at hand. */
async function openDriver() {
  const { workflow } = await mustLoad();
  const project = makeRoot({ 'old.md': 'old' });
  const state = makeRoot({ 'workflow.md': stateText(DECIDE) });
  const mounts = await openWorkflowMounts({ project, pkg: makeRoot(packageTexts()), state });
  const keeper = await openFolder(state);
  if (!mounts.ok || !keeper.ok) throw new Error('no folders');
  const log = openCallLog(keeper.value);
  const driver = createToolDriver({
    files: mounts.value.tools,
    keeper: keeper.value,
    workflow,
    audit: openAudit({ keeper: keeper.value }),
    log,
    servers: NO_SERVERS,
    terminal: () => ({ run: async () => ({ ok: true }) }),
    policyOf: () => mergePolicies(),
    redactor: createRedactor({ roots: [], private: [], names: [] }),
    composed: async () => ({
      effect: 'turn_1',
      agentId: 'sm',
      nodeId: 'decide-02-project-type',
      intent: 'continue',
      isComplete: false,
      isClosing: false,
      stateSha256: null,
      voice: 'rehearsal',
      messages: 0,
    }),
  });
  const effectOf = (tool: string, input: JsonValue): EffectIntent => {
    const call: ToolCallInput = { call: 'call_1', tool, input };
    return { id: 'eff_1', kind: 'tool.call', lane: 'workflow/calls', input: call, onCrash: 'ask-world' };
  };
  const context = { run: 'run_1', signal: new AbortController().signal, fence: { scope: 's', token: 1 } };
  const perform = (tool: string, input: JsonValue) =>
    driver.perform(effectOf(tool, input), { ...context, attempt: 1, now: () => 0 });
  const observe = (tool: string, input: JsonValue) => driver.observe?.(effectOf(tool, input), context);
  const stateNow = () => readFileSync(join(state, 'workflow.md'), 'utf8');
  const lines = () => readFileSync(join(state, 'logs/execution.jsonl'), 'utf8').trim().split('\n');
  /** As after a crash: the note is there, and its result is not. */
  const forgetResult = async () => {
    const note = await log.read('call_1');
    if (note === undefined) throw new Error('no note');
    await log.write('call_1', { planned: note.planned });
  };
  return { project, state, log, perform, observe, stateNow, lines, forgetResult };
}

const resultOf = (outcome: { readonly ok: boolean; readonly output?: JsonValue }) =>
  JSON.parse((outcome.output as { readonly text: string }).text) as { ok: boolean };

describe('a call that was cut off', () => {
  it('after the state was changed is finished, and the change is not made twice', async () => {
    const { perform, observe, stateNow, forgetResult, lines } = await openDriver();
    expect(await observe('fs.apply_patch', PATCH)).toEqual({ state: 'not-done' });
    await perform('fs.apply_patch', PATCH);
    const once = stateNow();
    expect(once.match(/step-03a-greenfield/g)).toHaveLength(1);
    await forgetResult();
    expect(await observe('fs.apply_patch', PATCH)).toEqual({ state: 'not-done' });
    expect(
      resultOf((await perform('fs.apply_patch', PATCH)) as { ok: true; output: JsonValue }),
    ).toMatchObject({
      ok: true,
      path: '@state/workflow.md',
    });
    expect(stateNow()).toBe(once);
    expect(lines()).toHaveLength(1);
  });

  it('after a file was written has its artifact entered, and is not written again', async () => {
    const { perform, project, state, stateNow, forgetResult } = await openDriver();
    const input = { path: '@project/artifacts/a.md', content: 'words' };
    await perform('fs.write', input);
    const written = statSync(join(project, 'artifacts/a.md'), { bigint: true }).ino;
    writeFileSync(join(state, 'workflow.md'), stateText(DECIDE));
    await forgetResult();
    await perform('fs.write', input);
    expect(statSync(join(project, 'artifacts/a.md'), { bigint: true }).ino).toBe(written);
    expect(stateNow()).toContain('artifacts/a.md');
  });

  it('before anything was written is done', async () => {
    const { perform, project, log } = await openDriver();
    const planned = { path: '@project/old.md', before: sha('old'), after: sha('new') };
    await log.write('call_1', { planned });
    await perform('fs.write', { path: '@project/old.md', content: 'new' });
    expect(readFileSync(join(project, 'old.md'), 'utf8')).toBe('new');
  });

  it('and whose file somebody else has written since is unknown, and left as it is', async () => {
    const { perform, project, forgetResult } = await openDriver();
    await perform('fs.write', { path: '@project/old.md', content: 'new' });
    await forgetResult();
    writeFileSync(join(project, 'old.md'), 'of a person');
    expect(await perform('fs.write', { path: '@project/old.md', content: 'new' })).toMatchObject({
      ok: false,
      error: { code: 'E_TOOL_OUTCOME_UNKNOWN' },
    });
    expect(readFileSync(join(project, 'old.md'), 'utf8')).toBe('of a person');
  });

  it('with its result noted has that result, without a second look', async () => {
    const { perform, observe, project } = await openDriver();
    const first = await perform('fs.write', { path: '@project/b.md', content: 'b' });
    writeFileSync(join(project, 'b.md'), 'changed');
    expect(await observe('fs.write', { path: '@project/b.md', content: 'b' })).toEqual({
      state: 'done',
      outcome: first,
    });
    expect(await perform('fs.write', { path: '@project/b.md', content: 'b' })).toEqual(first);
    expect(readFileSync(join(project, 'b.md'), 'utf8')).toBe('changed');
  });
});

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

it('a credential in a call is written where the call says, and not into the state', async () => {
  const token = 'ghp_Kq81z6WvT39bYxR5mD2nLf7cHs4JgPa0Qe';
  const { perform, project, stateNow } = await openDriver();
  await perform('fs.write', { path: '@project/key.txt', content: token });
  expect(readFileSync(join(project, 'key.txt'), 'utf8')).toBe(token);
  const logged = { ...LOGGED, reason: `the key is ${token}` };
  const other = await openDriver();
  await other.perform('fs.apply_patch', {
    path: '@state/workflow.md',
    patch: { operation: 'updateFrontmatter', update: { decisionLog: { append: [logged] } } },
  });
  expect(other.stateNow()).toContain('the key is [removed:credential]');
  expect(stateNow()).not.toContain(token);
});
