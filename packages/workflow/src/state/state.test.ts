import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { mustLoad, stateText } from '../../test/fixture.js';
import { readState, type StateDocument } from './document.js';
import { describeStateError } from './error.js';
import { initialState } from './initial.js';
import { applyPatch, replaceState } from './patch.js';
import { isComplete } from './rules.js';
import { patchSchema, type StatePatch } from './schema.js';

const must = (text: string): StateDocument => {
  const read = readState(text);
  if (!read.ok) throw new Error(describeStateError(read.error));
  return read.value;
};
const code = (text: string): string => {
  const read = readState(text);
  return read.ok ? 'ok' : read.error.code;
};
const { workflow } = await mustLoad();
const patch = (keys: Readonly<Record<string, unknown>>, update: StatePatch['update']) =>
  applyPatch(workflow, must(stateText(keys)), { update });
const outcome = (result: ReturnType<typeof patch>): string => (result.ok ? 'ok' : result.error.code);

describe('reading', () => {
  const wrapped = (front: string): string => `---\n${front}---\n`;
  const BASE = 'schemaVersion: "1.1"\nworkflowType: hb\n';
  /** Nine levels of nine aliases each. */
  const bomb = `${BASE}a0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(',')}]\n`).join('')}`;
  it.each([
    ['a plain state', wrapped(BASE), 'ok'],
    ['a version without quotes', wrapped('schemaVersion: 1.1\nworkflowType: hb\n'), 'ok'],
    ['a time without quotes', wrapped(`${BASE}updatedAt: 2026-01-31T12:00:00Z\n`), 'ok'],
    ['empty keys', wrapped(`${BASE}variables:\nstepsCompleted:\ncurrentNodeId:\n`), 'ok'],
    ['Windows line ends', wrapped(BASE).replaceAll('\n', '\r\n'), 'ok'],
    ['no frontmatter', '# State\n', 'E_INVALID_FRONTMATTER'],
    ['no second fence', `---\n${BASE}`, 'E_INVALID_FRONTMATTER'],
    ['---js', `---js\n${BASE}---\n`, 'E_INVALID_FRONTMATTER'],
    ['---javascript', `---javascript\nprocess.exit()\n---\n`, 'E_INVALID_FRONTMATTER'],
    ['--- js', `--- js\n${BASE}---\n`, 'E_INVALID_FRONTMATTER'],
    ['a tag of another language', wrapped(`${BASE}x: !!js/function "() => 1"\n`), 'ok'],
    ['a key that stands twice', wrapped(`${BASE}variables: {}\nvariables: {}\n`), 'E_INVALID_FRONTMATTER'],
    ['an alias', wrapped(`${BASE}a: &a x\nb: *a\n`), 'E_INVALID_FRONTMATTER'],
    ['an alias bomb', wrapped(bomb), 'E_INVALID_FRONTMATTER'],
    ['ten thousand brackets', wrapped(`${BASE}a: ${'['.repeat(10_000)}\n`), 'E_INVALID_FRONTMATTER'],
    ['a huge frontmatter', wrapped(`${BASE}a: ${'x'.repeat(300_000)}\n`), 'E_INVALID_FRONTMATTER'],
    ['a list', wrapped('- a\n'), 'E_SCHEMA_VALIDATION'],
    ['another version', wrapped('schemaVersion: "2.0"\nworkflowType: hb\n'), 'E_SCHEMA_VALIDATION'],
    ['a step that is a number', wrapped(`${BASE}stepsCompleted: [01]\n`), 'E_SCHEMA_VALIDATION'],
  ])('%s', (_name, text, expected) => expect(code(text)).toBe(expected));

  it('a function in YAML is text', () => {
    expect(must(wrapped(`${BASE}x: !!js/function "() => 1"\n`)).state.x).toBe('() => 1');
  });

  it('gives a value of its own every time', () => {
    const text = stateText({ variables: { list: [1] } });
    const first = must(text);
    (first.state.variables.list as number[]).push(2);
    first.state.stepsCompleted.push('end-99');
    expect([must(text).state.variables.list, must(text).state.stepsCompleted]).toEqual([[1], []]);
  });
});

describe('a patch', () => {
  it('moves along an edge, keeps comments and other keys, and the body byte for byte', () => {
    const body = '\r\nNotes \t\n---\nmore\u2028\n\n';
    const text = `---\n# keep me\nschemaVersion: "1.1"\nworkflowType: hb # and me\nowner: Kim\nvariables: {a: 1}\n---\n${body}`;
    const next = applyPatch(workflow, must(text), {
      update: {
        currentNodeId: { set: 'decide-02-project-type' },
        stepsCompleted: { append: ['step-01-intake', 'step-01-intake'] },
        variables: { set: { b: '---\n"x": *y', __proto__: 1, c: null } },
        artifacts: { append: ['artifacts/intake.md'] },
      },
    });
    if (!next.ok) throw new Error(describeStateError(next.error));
    const { state, cut, text: written } = next.value;
    expect(cut.body).toBe(body);
    expect(written).toContain('# keep me\n');
    expect(written).toContain('# and me\n');
    expect(state).toMatchObject({
      owner: 'Kim',
      currentNodeId: 'decide-02-project-type',
      stepsCompleted: ['step-01-intake'],
      variables: { a: 1, b: '---\n"x": *y', c: null },
      artifacts: ['artifacts/intake.md'],
    });
  });

  it('answers a move that no edge makes with the moves there are', () => {
    const result = patch({}, { currentNodeId: { set: 'end-99' } });
    expect(result).toEqual({
      ok: false,
      error: {
        code: 'E_INVALID_TRANSITION',
        from: 'step-01-intake',
        to: 'end-99',
        allowedNext: [{ to: 'decide-02-project-type', label: 'next' }],
      },
    });
  });

  const at = (currentNodeId: string, ...stepsCompleted: readonly string[]) => ({
    currentNodeId,
    stepsCompleted,
  });
  it.each<readonly [string, Readonly<Record<string, unknown>>, StatePatch['update'], string]>([
    ['stays where it is', at('step-01-intake'), { currentNodeId: { set: 'step-01-intake' } }, 'ok'],
    [
      'cannot go back',
      at('decide-02-project-type', 'step-01-intake'),
      { currentNodeId: { set: 'step-01-intake' } },
      'E_INVALID_TRANSITION',
    ],
    [
      'cannot hop over a node',
      at('step-01-intake'),
      { currentNodeId: { set: 'step-03a-greenfield' } },
      'E_INVALID_TRANSITION',
    ],
    [
      'cannot go to a node that is not there',
      at('step-01-intake'),
      { currentNodeId: { set: 'x' } },
      'E_INVALID_TRANSITION',
    ],
    [
      'cannot complete a step that is not there',
      at(''),
      { stepsCompleted: { append: ['x'] } },
      'E_STEPS_COMPLETED',
    ],
    [
      'cannot complete a step ahead',
      at(''),
      { stepsCompleted: { append: ['step-03a-greenfield'] } },
      'E_STEPS_COMPLETED',
    ],
    [
      'cannot complete the end at step one',
      at(''),
      { stepsCompleted: { append: ['end-99'] } },
      'E_STEPS_COMPLETED',
    ],
    [
      'can complete the end on arrival',
      at('step-03a-greenfield'),
      { currentNodeId: { set: 'end-99' }, stepsCompleted: { append: ['step-03a-greenfield', 'end-99'] } },
      'ok',
    ],
    [
      'logs a decision of the graph',
      at(''),
      {
        decisionLog: {
          append: [{ from: 'decide-02-project-type', to: 'step-03a-greenfield', label: 'greenfield' }],
        },
      },
      'ok',
    ],
    [
      'logs no decision of its own',
      at(''),
      { decisionLog: { append: [{ from: 'step-01-intake', to: 'end-99', label: 'done' }] } },
      'E_SCHEMA_VALIDATION',
    ],
    ['wants a time', at(''), { updatedAt: { set: 'now' } }, 'E_SCHEMA_VALIDATION'],
    ['of a state elsewhere', at('gone'), { variables: { set: {} } }, 'CURRENT_NODE_INVALID'],
    ['declares nothing complete', at(''), { variables: { set: { workflowStatus: 'complete' } } }, 'ok'],
  ])('%s', (_name, keys, update, expected) => expect(outcome(patch(keys, update))).toBe(expected));

  it('tells an unknown step from one that is not yet to be done', () => {
    const why = (append: string[]): unknown => {
      const result = patch({}, { stepsCompleted: { append } });
      return result.ok ? 'ok' : 'why' in result.error ? result.error.why : undefined;
    };
    expect([why(['x']), why(['end-99'])]).toEqual(['unknown', 'not-current']);
  });

  it('any name will do for a variable', () => {
    const set = JSON.parse('{"__proto__":{"x":1},"constructor":2}') as Record<string, unknown>;
    const next = patch({}, { variables: { set } });
    expect(next.ok && JSON.stringify(must(next.value.text).state.variables)).toBe(JSON.stringify(set));
    const parsed = patchSchema.safeParse({ operation: 'updateFrontmatter', update: { variables: { set } } });
    expect(JSON.stringify(parsed.data?.update.variables?.set)).toBe(JSON.stringify(set));
    expect(
      patchSchema.safeParse({ operation: 'updateFrontmatter', update: { variables: { set: [] } } }).success,
    ).toBe(false);
  });

  it('a variable completes nothing', () => {
    const next = patch({}, { variables: { set: { workflowStatus: 'complete' } } });
    expect(next.ok && isComplete(workflow, next.value.state)).toBe(false);
  });

  it('a whole new file obeys the same rules', () => {
    const before = must(
      stateText({ stepsCompleted: ['step-01-intake'], currentNodeId: 'decide-02-project-type' }),
    );
    const after = (keys: object): string =>
      outcome(
        replaceState(
          workflow,
          before,
          stateText({ stepsCompleted: ['step-01-intake'], currentNodeId: 'decide-02-project-type', ...keys }),
        ),
      );
    expect(after({ variables: { a: 1 } })).toBe('ok');
    expect(after({ stepsCompleted: [] })).toBe('E_STEPS_COMPLETED');
    expect(after({ stepsCompleted: ['step-01-intake', 'x'] })).toBe('E_STEPS_COMPLETED');
    expect(after({ currentNodeId: 'end-99' })).toBe('E_INVALID_TRANSITION');
    expect(outcome(replaceState(workflow, before, '---js\n---\n'))).toBe('E_INVALID_FRONTMATTER');
  });

  it('in the shape of another tool is no patch', () => {
    expect(patchSchema.safeParse({ operation: 'updateFrontmatter', update: {}, patches: [] }).success).toBe(
      false,
    );
    expect(patchSchema.safeParse({ patches: [] }).success).toBe(false);
  });
});

it('any variables are written and read back as they are, and the body stays', () => {
  const variables = fc.dictionary(
    fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
    fc.jsonValue({ maxDepth: 3 }),
  );
  fc.assert(
    fc.property(variables, fc.string({ unit: 'grapheme' }), (set, body) => {
      const before = must(stateText({}, `\n${body}`));
      const next = applyPatch(workflow, before, { update: { variables: { set } } });
      if (!next.ok) throw new Error(describeStateError(next.error));
      expect(JSON.stringify(must(next.value.text).state.variables)).toBe(
        JSON.stringify(JSON.parse(JSON.stringify(set))),
      );
      expect(next.value.cut.body).toBe(`\n${body}`);
    }),
    runs(200, 5000),
  );
});

it('reading never throws and never takes long', () => {
  const line = fc.constantFrom(
    '---',
    '---js',
    'a: &x [*x]',
    'a: *x',
    '? {',
    '- -',
    '\t',
    '!!binary x',
    '%YAML 1.3',
    '<<: {a: 1}',
    'schemaVersion: "1.1"',
    '...',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string()), { maxLength: 30 }), (lines) => {
      const read = readState(`---\n${lines.join('\n')}\n---\n`);
      expect(typeof read.ok).toBe('boolean');
    }),
    runs(300, 10_000),
  );
});

it('a new run starts at the entry', () => {
  const { state } = must(initialState({ workflow, runId: 'run_1', activeAgentId: 'sm' }));
  expect([state.currentNodeId, state.activeAgentId, state.stepsCompleted]).toEqual([
    'step-01-intake',
    'sm',
    [],
  ]);
});
