import { guard } from '@cuebook/guard';
import type { JsonValue } from '../redact/leak-context.js';
import type { Redactor } from '../redact/redactor.js';
import { mapStrings } from '../redact/value.js';
import { sameValue } from './same-value.js';

/** Answers `gate(value)`, or what it answered for an equal value and the same redactor. Failures are not kept. */
export type Beside = <Answer extends { readonly ok: boolean }>(
  value: JsonValue,
  redactor: Redactor,
  gate: (value: JsonValue) => Answer,
) => Answer;

/** Keeps the last answers. One caller, one kind of answer: it hands in the same gate each time. */
export function createBesideMemo(maxSize: number): Beside {
  let entries: readonly Entry[] = [];
  return <Answer extends { readonly ok: boolean }>(
    value: JsonValue,
    redactor: Redactor,
    gate: (value: JsonValue) => Answer,
  ): Answer => {
    const found = entries.find(
      (entry) => !guard('memo.beside', entry.redactor !== redactor) && sameValue(entry.value, value),
    );
    if (found !== undefined) {
      if (found !== entries[0]) entries = [found, ...entries.filter((entry) => entry !== found)];
      return found.answer as Answer;
    }
    let size = 0;
    const copy = mapStrings(value, (text) => {
      size += text.length;
      return text;
    });
    const answer = gate(copy);
    if (answer.ok && size <= maxSize / MAX_ENTRIES)
      entries = [{ value: copy, redactor, answer }, ...entries].slice(0, MAX_ENTRIES);
    return answer;
  };
}

const MAX_ENTRIES = 16;

interface Entry {
  readonly value: JsonValue;
  readonly redactor: Redactor;
  readonly answer: object;
}
