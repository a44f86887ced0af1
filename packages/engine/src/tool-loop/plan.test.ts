import { fail, type JsonValue, ok } from '@cuebook/prompt';
import { describe, expect, it } from 'vitest';
import { type AskedCall, planCalls } from './plan.js';
import { crashPolicyOf, type ToolRules } from './tool.js';

const RULES: ToolRules = {
  tools: [
    { name: 'read_file', safety: 'idempotent', parallel: true },
    { name: 'write_file', safety: 'observable' },
    { name: 'pay', policy: 'ask' },
    { name: 'wipe', policy: 'deny' },
    { name: 'hidden_tool' },
    { name: 'shaky' },
  ],
  allowed: ['read_file', 'write_file', 'pay', 'wipe', 'shaky'],
  validate: (tool, input) => {
    if (tool === 'shaky') throw new Error('/home/somebody');
    const path = (input as { readonly path?: JsonValue }).path;
    return path === 5 ? fail('path: a text, not 5') : ok({ encoding: 'utf8', ...(input as object) });
  },
  permit: (_tool, input) =>
    (input as { readonly path?: JsonValue }).path === '/etc'
      ? { kind: 'deny', reason: 'outside of the project' }
      : { kind: 'allow' },
  maxCalls: 3,
};

const call = (name: string, input: JsonValue = {}, id = name): AskedCall => ({ id, name, input });

const plan = (calls: readonly AskedCall[], granted: readonly string[] = []) => {
  let counter = 0;
  const newId = (prefix: string) => {
    counter += 1;
    return `${prefix}_${counter}`;
  };
  return planCalls(calls, RULES, { newId, granted });
};

describe('a call that cannot be run is answered, and never begun', () => {
  it.each([
    [
      'arguments that are not JSON',
      { ...call('read_file'), badInput: '{"path": ' },
      'E_TOOL_INPUT',
      'not JSON',
    ],
    ['arguments that do not fit', call('read_file', { path: 5 }), 'E_TOOL_INPUT', 'path: a text'],
    ['arguments that break their check', call('shaky'), 'E_TOOL_INPUT', 'broke'],
    ['an unknown tool', call('raedd_file'), 'E_TOOL_UNKNOWN', 'Did you mean read_file?'],
    ['a tool unlike any other', call('zzzzzzzz'), 'E_TOOL_UNKNOWN', 'There are: read_file, write_file'],
    ['a tool that is not in the policy', call('hidden_tool'), 'E_TOOL_NOT_ALLOWED', 'not open'],
    ['a tool that is denied', call('wipe'), 'E_TOOL_DENIED', 'Not allowed'],
    ['a call that the policy denies', call('read_file', { path: '/etc' }), 'E_TOOL_DENIED', 'outside'],
  ] as const)('%s', (_title, asked, code, text) => {
    const [planned] = plan([asked]);
    expect(planned).toMatchObject({ plan: 'refuse', result: { status: 'refused', code } });
    expect(planned?.result?.text).toContain(text);
    expect(planned?.result?.text).toContain('Nothing was run.');
  });

  it('the second of two calls with one id', () => {
    const planned = plan([
      call('read_file', {}, 'x'),
      call('write_file', {}, 'x'),
      call('read_file', {}, 'y'),
    ]);
    expect(planned.map((one) => one.plan)).toEqual(['run', 'refuse', 'run']);
    expect(planned[1]?.result?.code).toBe('E_TOOL_DUPLICATE');
    expect(new Set(planned.map((one) => one.id)).size).toBe(3);
  });

  it('every call past the limit of an answer', () => {
    const planned = plan(['a', 'b', 'c', 'd', 'e'].map((id) => call('read_file', {}, id)));
    expect(planned.map((one) => one.result?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      'E_TOOL_TOO_MANY',
      'E_TOOL_TOO_MANY',
    ]);
  });
});

it('a tool that nobody may call is not suggested', () => {
  const [planned] = plan([call('hiden_tool')]);
  expect(planned?.result?.text).not.toContain('hidden_tool');
});

it('an error says nothing of what the check threw', () => {
  const [planned] = plan([call('shaky')]);
  expect(JSON.stringify(planned)).not.toContain('somebody');
});

it('calls without an id are not taken for each other', () => {
  const planned = plan([call('read_file', {}, ''), call('read_file', {}, '')]);
  expect(planned.map((one) => one.plan)).toEqual(['run', 'run']);
});

it('a good call carries what the validator made of it beside what the model wrote', () => {
  const [planned] = plan([call('read_file', { path: 'a' }, 'model-id')]);
  expect(planned).toMatchObject({
    given: 'model-id',
    input: { path: 'a' },
    parsed: { encoding: 'utf8', path: 'a' },
    parallel: true,
    onCrash: 'repeat',
    plan: 'run',
  });
});

it('a tool that asks waits for a person, unless one has allowed it for the run', () => {
  expect(plan([call('pay')])[0]?.plan).toBe('ask');
  expect(plan([call('pay')], ['pay'])[0]?.plan).toBe('run');
});

it.each([
  ['idempotent', 'repeat'],
  ['observable', 'ask-world'],
] as const)('what is %s: %s after a crash', (safety, policy) => {
  expect(crashPolicyOf({ safety })).toBe(policy);
});

it('what nothing is known of asks a person after a crash', () => {
  expect(crashPolicyOf({})).toBe('ask-person');
});
