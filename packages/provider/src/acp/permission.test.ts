import { describe, expect, it } from 'vitest';
import type { Access } from '../turn.js';
import { answerPermission, isWithin } from './permission.js';

const option = (kind: string) => ({ optionId: `the-${kind}`, name: kind, kind });

describe('answerPermission', () => {
  it.each([
    [true, ['allow_always', 'allow_once', 'reject_once'], 'the-allow_once'],
    [false, ['allow_once', 'reject_always', 'reject_once'], 'the-reject_once'],
    [true, ['allow_always', 'reject_once'], undefined],
    [false, ['reject_always'], undefined],
    [true, [], undefined],
  ])('%s of %j is %s', (isAllowed, kinds, picked) => {
    const answer = answerPermission(kinds.map(option), isAllowed);
    expect(answer).toEqual(
      picked === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: picked },
    );
  });

  it('never picks an id that stands for another option too', () => {
    const options = [option('allow_once'), { ...option('reject_once'), optionId: 'the-allow_once' }];
    expect(answerPermission(options, false)).toEqual({ outcome: 'cancelled' });
    expect(answerPermission(options, true)).toEqual({ outcome: 'cancelled' });
  });

  it.each([undefined, null, 7, [null], [{ kind: 'allow_once' }]])('takes %j for options', (options) => {
    expect(() => answerPermission(options, true)).not.toThrow();
  });
});

describe('isWithin', () => {
  const KINDS: Readonly<Record<Access, readonly string[]>> = {
    // What it may do it does without asking, so whatever it asks for is more.
    plan: [],
    edit: ['edit', 'delete', 'move'],
    full: [
      'read',
      'search',
      'think',
      'edit',
      'delete',
      'move',
      'execute',
      'fetch',
      'other',
      'switch_mode',
      '',
    ],
  };
  it.each(['plan', 'edit', 'full'] as const)('lets %s do what it is for and nothing else', (access) => {
    expect(KINDS.full.filter((kind) => isWithin(access, { kind }))).toEqual(KINDS[access]);
    expect(isWithin(access, {})).toBe(access === 'full');
  });
});
