import { describe, expect, it } from 'vitest';
import { endOfExecError, endOfTurnError } from './failure.js';

describe('why a turn of Codex failed', () => {
  const INFOS: readonly [unknown, object][] = [
    [{ httpConnectionFailed: { httpStatusCode: 401 } }, { code: 'E_PROVIDER_AUTH', status: 401 }],
    [{ responseTooManyFailedAttempts: { httpStatusCode: 429 } }, { code: 'E_PROVIDER_RATE', status: 429 }],
    [{ httpConnectionFailed: { httpStatusCode: null } }, { code: 'E_PROVIDER_FAILED' }],
    ['unauthorized', { code: 'E_PROVIDER_AUTH', status: 401 }],
    ['internalServerError', { code: 'E_PROVIDER_DOWN', status: 500, retryable: true }],
    ['serverOverloaded', { code: 'E_PROVIDER_DOWN', retryable: true }],
    ['contextWindowExceeded', { code: 'E_PROVIDER_CONTEXT', retryable: false }],
    ['usageLimitExceeded', { code: 'E_PROVIDER_QUOTA', retryable: false }],
    ['a word of tomorrow', { code: 'E_PROVIDER_FAILED' }],
    ['constructor', { code: 'E_PROVIDER_FAILED' }],
    [null, { code: 'E_PROVIDER_FAILED' }],
  ];
  it.each(INFOS)('%j', (codexErrorInfo, error) => {
    expect(endOfTurnError({ message: 'said', codexErrorInfo })).toMatchObject({ reason: 'error', error });
  });

  it.each([
    ['unexpected status 403 Forbidden: no', { code: 'E_PROVIDER_AUTH', status: 403 }],
    ['exceeded retry limit, last status: 429 Too Many Requests', { code: 'E_PROVIDER_RATE', status: 429 }],
    ['We’re currently experiencing high demand, which may', { code: 'E_PROVIDER_DOWN', status: 500 }],
    ['stream disconnected before completion', { code: 'E_PROVIDER_FAILED' }],
    ['', { code: 'E_PROVIDER_FAILED', message: expect.stringContaining('not why') }],
  ])('in a sentence: %s', (message, error) => {
    expect(endOfExecError(message)).toMatchObject({ reason: 'error', error });
  });
});
