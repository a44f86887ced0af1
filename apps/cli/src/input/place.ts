import { byteAtLine, type Prompt } from '@cuebook/prompt';
import { Failure } from '../failure.js';

/**
 * The byte that `--at` names: an offset from 0, `line:column` from 1, or words of the prompt, which stand for the first
 * place that has them. Refused outside the prompt.
 */
export function requirePlace(prompt: Pick<Prompt, 'text'>, at: string): number {
  const size = Buffer.byteLength(prompt.text);
  const [, line, column] = /^(\d{1,9}):(\d{1,9})$/.exec(at) ?? [];
  if (line !== undefined && column !== undefined) {
    const byte = byteAtLine(prompt.text, Number(line), Number(column));
    if (byte !== undefined) return byte;
    const lines = prompt.text.split('\n').length;
    throw new Failure('E_AT', `The prompt has no place ${at}: it has ${lines} lines and ${size} bytes`);
  }
  if (!/^\d{1,15}$/.test(at)) {
    const words = /^"(.+)"$/s.exec(at)?.[1] ?? at;
    const index = words.trim() === '' ? -1 : prompt.text.indexOf(words);
    if (index >= 0) return Buffer.byteLength(prompt.text.slice(0, index));
    throw new Failure(
      'E_AT',
      `"${at}" is neither a byte offset such as 120, nor a place such as 3:1, nor words of the prompt`,
    );
  }
  if (Number(at) < size) return Number(at);
  throw new Failure('E_AT', `Byte ${at} lies outside the prompt, which has ${size} bytes (0 to ${size - 1})`);
}
