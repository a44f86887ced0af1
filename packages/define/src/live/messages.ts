import { isRecord } from '../shape/values.js';
import type { FromThread, WorkOutcome } from './protocol.js';

/** The code of a project can post to this thread too: whatever is not one of our messages is passed over. */
export function isFromThread(message: unknown): message is FromThread {
  if (!isRecord(message)) return false;
  switch (message.type) {
    case 'ready':
      return typeof message.id === 'number';
    case 'end':
      return typeof message.id === 'number' && isOutcome(message.outcome);
    case 'want':
      return typeof message.path === 'string';
    case 'ask':
      return isAsk(message);
    case 'pong':
      return true;
    case 'late':
      return typeof message.text === 'string';
    default:
      return false;
  }
}

const isAsk = ({ ask, id, of, does, name, value, kind }: Readonly<Record<string, unknown>>): boolean =>
  typeof ask === 'number' &&
  typeof id === 'number' &&
  (of === 'state' || of === 'child') &&
  (does === 'setEnv' || does === 'notifyParent') &&
  typeof name === 'string' &&
  typeof value === 'string' &&
  (kind === undefined || kind === 'text' || kind === 'secret');

function isOutcome(value: unknown): value is WorkOutcome {
  if (!isRecord(value)) return false;
  switch (value.kind) {
    case 'value':
      return true;
    case 'result':
      return typeof value.text === 'string' && isTexts(value.attachments);
    case 'invalid':
      return Array.isArray(value.problems) && value.problems.every(isProblem);
    case 'threw':
    case 'not-json':
      return typeof value.text === 'string';
    default:
      return false;
  }
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

const isProblem = (value: unknown): boolean =>
  isRecord(value) && typeof value.path === 'string' && typeof value.message === 'string';
