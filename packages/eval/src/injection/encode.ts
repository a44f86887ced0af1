import type { AttackEncoding } from './contract.js';

/** A text as an attack hides it. Each has a way back, which a model may know. */
export function encodeText(text: string, how: AttackEncoding): string {
  switch (how) {
    case 'base64':
      return base64(new TextEncoder().encode(text));
    case 'rot13':
      return text.replace(/[a-z]/giu, (letter) => {
        const first = letter <= 'Z' ? 65 : 97;
        return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
      });
    case 'tags':
      // Characters of the Unicode block of tags are shown by nobody; each stands for one of ASCII.
      return [...text]
        .map((each) => (each < '\u007f' ? String.fromCodePoint(0xe0000 + ascii(each)) : ''))
        .join('');
    case 'zero-width':
      return [...text].join('\u200b');
  }
}

const ascii = (character: string): number => character.charCodeAt(0);

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const three = [bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0] as const;
    const bits = three[0] * 65536 + three[1] * 256 + three[2];
    const four = [18, 12, 6, 0].map((shift) => ALPHABET[(bits >> shift) & 63] as string);
    text += four
      .slice(0, Math.min(4, bytes.length - at + 1))
      .join('')
      .padEnd(4, '=');
  }
  return text;
}
