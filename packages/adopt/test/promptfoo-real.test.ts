import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, it as always, expect } from 'vitest';
import { part } from '../../../test/part.js';
import { describeInSoak, itInSoak as it, runs } from '../../../test/runs.js';
import { promptfooReader } from '../src/readers/promptfoo.js';
import { corePieces, printed, wildTemplate } from './arbitrary.js';
import { adopt, type Message, rendered } from './render.js';
import { handedIn } from './sections.js';

// What promptfoo itself sends, with all that it does around its template engine: it is asked with a provider that
// answers nothing and keeps what it is told.

type Values = Readonly<Record<string, string>>;
/** Texts as promptfoo sent them, by the label of the prompt and the number of the test. */
type Sent = Readonly<Record<string, string>>;

const ASK = `
import { readFileSync } from 'node:fs';
const { index, prompts, tests } = JSON.parse(readFileSync(0, 'utf8'));
const { default: promptfoo } = await import(index);
const sent = {};
const callApi = async (text, context) => {
  sent[context.prompt.label + ' ' + context.vars.number] = text;
  return { output: '' };
};
const providers = [{ id: () => 'keeps', callApi }];
console.log = () => undefined;
await promptfoo.evaluate({ prompts, providers, tests, writeLatestResults: false }, { cache: false, showProgressBar: false, maxConcurrency: 1 });
process.stdout.write('SENT' + JSON.stringify(sent), () => process.exit(0));
`;

const found = part('promptfoo');
const home = mkdtempSync(join(tmpdir(), 'cuebook-promptfoo-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function sendAll(
  prompts: readonly { readonly label: string; readonly raw: string }[],
  tests: readonly Values[],
): Promise<Sent> {
  const index = pathToFileURL(join(dirname(found.path), '..', 'promptfoo', 'dist', 'src', 'index.js')).href;
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    PROMPTFOO_CONFIG_DIR: home,
    PROMPTFOO_DISABLE_TELEMETRY: '1',
    PROMPTFOO_DISABLE_UPDATE: '1',
    PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
  };
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      ['--input-type=module', '-e', ASK],
      { env, cwd: home, maxBuffer: 256 * 1024 * 1024 },
      (error, stdout) => {
        const answer = stdout.slice(stdout.indexOf('SENT') + 4);
        if (error !== null || !stdout.includes('SENT')) reject(error ?? new Error(stdout.slice(-500)));
        else resolve(JSON.parse(answer) as Sent);
      },
    );
    const numbered = tests.map((vars, number) => ({ vars: { ...vars, number: String(number) } }));
    child.stdin?.end(JSON.stringify({ index, prompts, tests: numbered }));
  });
}

/** A chat that promptfoo prints as JSON, or one message of the user. */
function messagesIn(text: string): readonly Message[] {
  try {
    const value = JSON.parse(text) as unknown;
    if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each?.role === 'string'))
      return (value as readonly Message[]).filter(({ content }) => content !== '');
  } catch {
    // No JSON: a text.
  }
  return text === '' ? [] : [{ role: 'user', content: text }];
}

const samples = <Value>(values: fc.Arbitrary<Value>, inTest: number, inSoak: number): readonly Value[] => {
  const { numRuns, seed } = runs(inTest, inSoak);
  return fc.sample(values, { numRuns, seed });
};

/** Values that promptfoo hands on as they are: it cuts one line break at the end, and reads templates in values. */
const VALUES: readonly Values[] = [
  { a: 'A', b: 'B', name: 'N', größe: 'G', _a: 'under', x: 'X' },
  { a: '<&"\'>', b: ' \t two ', name: 'ä😀', größe: '$&', _a: '\\n', x: '} {' },
  { a: '', b: '0', name: 'false', größe: '', _a: '', x: 'null' },
];

/** Prompts that promptfoo sends as they are written, tags and all. */
const AS_WRITTEN = ['T{{\na\n}}x', 'T{{a\n}}{{b}}', '{{\na}}', '{% if a\n==b %}x{% endif %}{{a}}'];

always.each(AS_WRITTEN)('what promptfoo sends as it is written is refused: %j', (raw) => {
  const adopted = adopt(promptfooReader, 'promptfooconfig.yaml', JSON.stringify({ prompts: [{ raw }] }));
  expect(adopted.sheets).toEqual([]);
  expect(adopted.diagnostics.some(({ severity }) => severity !== 'info')).toBe(true);
});

describeInSoak(`promptfoo itself${found.available ? '' : ` (skipped: ${found.reason})`}`, () => {
  const compare = async (templates: readonly string[], mayRefuse: boolean): Promise<number> => {
    const prompts = [...new Set(templates)].map((raw, index) => ({ raw, label: `p${index}` }));
    const taken = prompts.map((prompt) => ({
      ...prompt,
      adopted: adopt(promptfooReader, 'promptfooconfig.yaml', JSON.stringify({ prompts: [prompt] })),
    }));
    const kept = taken.filter(({ adopted }) => adopted.sheets.length > 0);
    if (!mayRefuse) expect(kept.length).toBe(taken.length);
    const sent = await sendAll(
      kept.map(({ raw, label }) => ({ raw, label })),
      VALUES,
    );
    for (const { raw, label, adopted } of kept)
      for (const [number, vars] of VALUES.entries()) {
        const theirs = sent[`${label} ${number}`];
        expect(theirs, `promptfoo sent nothing for ${JSON.stringify(raw)}`).toBeDefined();
        expect(await rendered(adopted, handedIn(adopted, vars)), JSON.stringify(raw)).toEqual(
          messagesIn(theirs ?? ''),
        );
      }
    return kept.length;
  };

  it.skipIf(!found.available)('sends the bytes of a sheet for prompts of the portable core', async () => {
    const texts = samples(corePieces, 50, 200).map(
      (pieces) => `T${printed(pieces, (name) => `{{ ${name} }}`)}`,
    );
    expect(await compare(texts, false)).toBeGreaterThan(0);
  });

  it.skipIf(!found.available)('sends as it is written what import refuses for it', async () => {
    const sent = await sendAll(
      AS_WRITTEN.map((raw, index) => ({ raw, label: `p${index}` })),
      VALUES.slice(0, 1),
    );
    expect(AS_WRITTEN.map((_, index) => sent[`p${index} 0`])).toEqual(AS_WRITTEN);
  });

  it.skipIf(!found.available)('sends the bytes of a sheet for any prompt that is not refused', async () => {
    const texts = samples(wildTemplate, 100, 1000).map((template) => `T${template}`);
    expect(await compare(texts, true)).toBeGreaterThan(0);
  });

  it.skipIf(!found.available)('sends the messages of a sheet for chats in JSON', async () => {
    const texts = samples(fc.array(corePieces, { minLength: 1, maxLength: 3 }), 50, 200).map((messages) =>
      JSON.stringify(
        messages.map((pieces, index) => ({
          role: ['system', 'user', 'assistant'][index % 3],
          content: `T${printed(pieces, (name) => `{{ ${name} }}`)}`,
        })),
      ),
    );
    expect(await compare(texts, true)).toBeGreaterThan(0);
  });
});
