import type { GatedRequest } from '@cuebook/prompt';
import { wordsOf } from '../agent/words.js';

/** The system-role blocks of a request, in order, as one text. */
export const systemText = (request: GatedRequest): string => wordsOf(request).instructions;

/**
 * The line that begins a turn: all blocks but the system's, in order, and images after them. Where there are no
 * others, the system's are said: a turn without words is none. `uuid` comes back with the turn.
 */
export function userLine(request: GatedRequest, uuid: string): string {
  const { instructions, text, images } = wordsOf(request);
  const words = text === '' && images.length === 0 ? instructions : text;
  const content = [...(words === '' ? [] : [{ type: 'text', text: words }]), ...images.map(imagePart)];
  return jsonLine({
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: '',
    uuid,
  });
}

/** Line separators of Unicode stay inside their string: some readers of lines take them for the end of one. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(/[\u2028\u2029]/g, (char) => (char === '\u2028' ? '\\u2028' : '\\u2029'))}\n`;
}

function imagePart(url: string) {
  const [head = '', data = ''] = url.split(',');
  const mediaType = head.replace(/^data:/, '').replace(/;base64$/, '');
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}
