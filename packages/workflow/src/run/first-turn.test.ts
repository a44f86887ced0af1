import { memorySource } from '@cuebook/files';
import { composeTarget } from '@cuebook/profile';
import { toMessages } from '@cuebook/prompt';
import { expect, it } from 'vitest';
import { packageTexts } from '../../test/fixture.js';
import { hash } from '../../test/hash.js';
import { runDesk } from '../../test/run-desk.js';
import { VOICES } from '../compose/told.js';
import { createWorkflowProfile } from '../profile.js';

const TERMINAL = { terminal: { enabled: true } };
const INPUTS = [undefined, 'Begin with the shop.', 'Look at /Users/zebulon/x, please'] as const;
const DATA = { label: 'Notes', path: '@project/notes.md', text: 'The notes.' };

it.each(
  VOICES.flatMap((voice) =>
    (['run', 'agent', 'chat'] as const).flatMap((mode) =>
      INPUTS.flatMap((input) =>
        mode !== 'run' && input === undefined
          ? []
          : ([
              [voice, mode, input, {}, undefined],
              [voice, mode, input, TERMINAL, DATA],
            ] as const),
      ),
    ),
  ),
)(
  'what is rendered is the first turn, byte for byte: %s, %s, %s',
  async (voice, mode, input, settings, data) => {
    const desk = await runDesk({
      steps: [{ text: 'Seen.' }],
      settings,
      facts: { mode },
      voice: { kind: voice },
      ...(data === undefined ? {} : { data }),
    });
    const run = await desk.open();
    await run.play(input);
    const source = memorySource(packageTexts());
    if (!source.ok) throw new Error(source.error.code);
    const { redactor } = desk;
    const profile = createWorkflowProfile({ redactor, settings });
    const bench = { profiles: [profile], project: source.value, hash, redactor };
    const composed = await composeTarget(bench, 'workflow:.', {
      mode,
      voice,
      ...(input === undefined ? {} : { input }),
      ...(data === undefined ? {} : { data }),
    });
    if (!composed.ok) throw new Error(composed.diagnostics[0]?.message);
    const [first] = desk.requests;
    const shown = toMessages(composed.value.prompt).map(({ role, content }) => ({ role, content }));
    expect(first?.messages.map(({ role, content }) => ({ role, content }))).toEqual(shown);
    expect(first?.tools).toEqual(JSON.parse(JSON.stringify(composed.value.request.tools)));
  },
);
