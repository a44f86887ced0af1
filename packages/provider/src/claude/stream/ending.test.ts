import { describe, expect, it } from 'vitest';
import { endOfExit, endOfResult, sessionTrouble } from './ending.js';

describe('how a result ends a turn', () => {
  it.each([
    [{ is_error: false, subtype: 'error_max_turns', stop_reason: 'end_turn' }, undefined, 'done', undefined],
    [{ is_error: false, stop_reason: 'max_tokens' }, undefined, 'error', 'E_PROVIDER_LENGTH'],
    [{ is_error: false, stop_reason: 'refusal' }, undefined, 'refused', 'E_PROVIDER_FILTER'],
    [{ is_error: true, subtype: 'success', api_error_status: 401 }, undefined, 'error', 'E_PROVIDER_AUTH'],
    [{ is_error: true, subtype: 'success', api_error_status: 529 }, undefined, 'error', 'E_PROVIDER_DOWN'],
    [{ is_error: true, subtype: 'success', api_error_status: 404 }, undefined, 'error', 'E_PROVIDER_MODEL'],
    [{ is_error: true, subtype: 'success' }, 'billing_error', 'error', 'E_PROVIDER_QUOTA'],
    [{ is_error: true, subtype: 'success' }, 'unknown', 'error', 'E_PROVIDER_NETWORK'],
    [{ is_error: true, subtype: 'success' }, 'constructor', 'error', 'E_PROVIDER_NETWORK'],
    [
      { is_error: true, subtype: 'success', result: 'Prompt is too long' },
      'invalid_request',
      'error',
      'E_PROVIDER_CONTEXT',
    ],
    [{ is_error: true, subtype: 'error_max_turns' }, undefined, 'error', 'E_PROVIDER_FAILED'],
    [{ is_error: true, terminal_reason: 'aborted_streaming' }, undefined, 'aborted', undefined],
  ])('%o %s', (result, failure, reason, code) => {
    const end = endOfResult(result, failure);
    expect([end.reason, end.error?.code]).toEqual([reason, code]);
  });
});

it('a reason to stop that is not known is told as it is', () => {
  for (const stop of ['tomorrow', 'constructor', 'toString'])
    expect(endOfResult({ is_error: false, stop_reason: stop }, undefined)).toEqual({ reason: 'done', stop });
});

describe('how an exit ends a turn', () => {
  it.each([
    [{ code: null, signal: null, failure: { kind: 'missing' } }, 'E_PROVIDER_START', false],
    [{ code: 1, signal: null }, 'E_PROVIDER_EXIT', false],
    [{ code: 0, signal: null }, 'E_PROVIDER_EXIT', false],
    [{ code: null, signal: 'SIGKILL' }, 'E_PROVIDER_EXIT', true],
    [{ code: null, signal: 'SIGTERM', failure: { kind: 'line', limit: 9 } }, 'E_PROVIDER_EXIT', true],
  ] as const)('%o', (exit, code, retryable) => {
    expect(endOfExit(exit, '').error).toMatchObject({ code, retryable });
  });
});

it('knows a session that is in use, and one that is not known', () => {
  expect(sessionTrouble('Error: Session ID 02d5-aa is already in use.')).toBe('in-use');
  expect(sessionTrouble('No conversation found with session ID: 02d5')).toBe('unknown');
  expect(sessionTrouble('boom')).toBeUndefined();
});
