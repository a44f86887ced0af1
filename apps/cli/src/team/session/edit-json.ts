import type { JsonValue } from '@cuebook/api';
import { editText } from '../../edit-text.js';
import { Failure } from '../../failure.js';
import type { Io } from '../../io.js';

/** Lets a person change a value in their editor (VISUAL or EDITOR). */
export async function editJson(io: Io, value: JsonValue): Promise<JsonValue> {
  const otherwise = 'write the new input behind change, as JSON.';
  return parse(
    await editText(io, { text: `${JSON.stringify(value, null, 2)}\n`, ending: 'json', otherwise }),
  );
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new Failure('E_EDITOR', 'What the editor left is not JSON, so nothing was changed.');
  }
}
