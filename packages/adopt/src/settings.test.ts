import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runs } from '../../../test/runs.js';
import { parseParams } from '../../provider/src/api/request/params.js';
import { exportOf, promptOf } from '../test/exported.js';
import { adopt } from '../test/render.js';
import { readerOf } from './readers.js';
import { SETTINGS } from './settings.js';
import { VENDORS } from './writers/vendor-settings.js';
import { writerOf } from './writers.js';

const NAMES = [
  ...Object.keys(SETTINGS),
  ...[
    'max_tokens',
    'max_output_tokens',
    'max_completion_tokens',
    'maxTokens',
    'top_p',
    'top_k',
    'stop_sequences',
  ],
  ...[
    'stopSequences',
    'reasoning_effort',
    'reasoning',
    'tool_choice',
    'response_format',
    'parallel_tool_calls',
  ],
  ...[
    'presence_penalty',
    'frequency_penalty',
    'store',
    'languages',
    'constructor',
    '__proto__',
    'providerOptions',
  ],
];
const value = fc.oneof(
  fc.constantFrom(
    0,
    1,
    0.5,
    7,
    -1,
    3,
    100,
    2 ** 53,
    true,
    false,
    null,
    '',
    'low',
    'json',
    'json_object',
    'auto',
    'x',
  ),
  fc.constantFrom(
    { effort: 'low' },
    { effort: 'low', summary: 'auto' },
    { type: 'json_object' },
    {},
    ['a'],
    [],
    [''],
  ),
);
const settings = fc
  .array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 5 })
  .map((entries) => Object.fromEntries(entries));

/** A prompt with settings, in each format that has any. */
const FILES: Readonly<Record<string, (config: object) => readonly [path: string, text: string]>> = {
  langfuse: (config) => [
    'p.json',
    JSON.stringify([
      { name: 'p', version: 1, type: 'text', prompt: 'Hi', config, labels: ['production'], tags: [] },
    ]),
  ],
  openai: (config) => [
    'p.json',
    JSON.stringify({
      ...{ openai_prompt_id: 'pmpt_1', name: 'p', production_version: '1' },
      versions: [{ version: '1', messages: [{ role: 'user', content: 'Hi' }], config }],
    }),
  ],
  'github-models': (config) => [
    'p.prompt.yml',
    stringify({ messages: [{ role: 'user', content: 'Hi' }], modelParameters: config }),
  ],
  dotprompt: (config) => ['p.prompt', `---\n${stringify({ config })}---\nHi`],
};

const imported = (id: string, config: object) => {
  const reader = readerOf(id);
  if (reader === undefined) throw new Error(id);
  return adopt(reader, ...(FILES[id]?.(config) ?? ['', '']));
};
const has = (held: unknown, key: string): boolean =>
  typeof held === 'object' && held !== null && Object.hasOwn(held, key);

describe('settings that are imported', () => {
  it.each(Object.keys(FILES))('are taken by the providers, or kept under meta and told: %s', (id) => {
    fc.assert(
      fc.property(settings, (config) => {
        const { sheets, diagnostics } = imported(id, config);
        const [sheet] = sheets;
        expect(parseParams(sheet?.params ?? {})).toMatchObject({ ok: true });
        const kept = sheet?.meta[id === 'github-models' ? 'modelParameters' : 'config'];
        const told = diagnostics.map(({ message }) => message).join('\n');
        for (const [key, given] of Object.entries(config)) {
          const isSame =
            JSON.stringify(sheet?.params[key]) === JSON.stringify(given) && has(sheet?.params, key);
          if (isSame || has(kept, key)) {
            if (has(kept, key)) expect(told).toContain(JSON.stringify(key));
            continue;
          }
          // The reader of OpenAI leaves out what is empty.
          if (given === null || JSON.stringify(given) === '{}' || JSON.stringify(given) === '[]') continue;
          expect(told, key).toMatch(new RegExp(`The setting "${key}(?:\\.\\w+)?" became|"${key}"|^$`));
        }
      }),
      runs(500, 5000),
    );
  });

  it.each(['langfuse', 'dotprompt'])(
    'are exported to the same format under the names that they had: %s',
    (id) => {
      fc.assert(
        fc.property(settings, (config) => {
          const text = writerOf(id)?.write(exportOf(imported(id, config))).file?.text ?? '';
          const reader = readerOf(id);
          if (reader === undefined || text === '') throw new Error('nothing was written');
          const again = adopt(reader, FILES[id]?.({})[0] ?? '', text).sheets[0];
          const first = imported(id, config).sheets[0];
          expect(again?.params).toEqual(first?.params);
          expect(again?.meta.config).toEqual(first?.meta.config);
          if (id === 'langfuse') expect(JSON.parse(text)[0].config).toEqual(config);
        }),
        runs(300, 3000),
      );
    },
  );
});

describe('settings that are exported as a body', () => {
  it.each(['openai', 'anthropic'] as const)('are in the words of %s, or told', (vendor) => {
    const own = Object.keys(SETTINGS).filter((key) => !['model', 'temperature'].includes(key));
    const messages = [{ role: 'user', parts: [{ text: 'Hi' }] }];
    for (const key of own) {
      const given =
        { maxOutputTokens: 5, topK: 3, stop: 'x', toolChoice: 'required', responseFormat: { schema: {} } }[
          key
        ] ?? 1;
      const { file, diagnostics = [] } =
        writerOf(`${vendor}-messages`)?.write(promptOf(messages, { params: { [key]: given } })) ?? {};
      const body = JSON.parse(file?.text ?? '{}') as Record<string, unknown>;
      const isTold = diagnostics.some(
        ({ message, severity }) => severity === 'warning' && message.includes(key),
      );
      const keys = Object.keys(body).filter((each) => each !== 'messages');
      expect(keys.length === 0, key).toBe(isTold);
      // No name of ours goes to an API that would refuse it.
      for (const each of keys) expect(each).toMatch(/^[a-z_]+$/);
      expect(Object.hasOwn(VENDORS[vendor], key) || keys.includes(key), key).toBe(true);
    }
  });
});
