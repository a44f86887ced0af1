import { literalsOf } from './redact/json-text.js';
import { breakOffsets, findChatTokens } from './shell/chat-token.js';
import { escapeBody, openBraces, withMarks } from './shell/escape.js';
import { linesOf } from './shell/lines.js';
import { findInvisible, showInvisible } from './visible.js';

/**
 * Text in which no character hides and no chat-template token stands whole, fit to be put into a JSON string or any
 * other place where lines mean nothing. Doing it twice is doing it once.
 */
export const neutralText = (text: string): string => breakTokens(showInvisible(text));

/** The text with a space in every chat-template token that stands whole. */
export function breakTokens(text: string): string {
  return withMarks(
    text,
    findChatTokens(text).map(({ start }) => ({ at: start + 1, text: ' ' })),
  );
}

/**
 * Text that can be said where nothing reads it back: nothing hides in it, no chat-template token stands whole, and no
 * line is structure. A JSON document stays one, and of the same value. Doing it twice is doing it once.
 */
export function neutralBody(text: string): string {
  const json = safeJson(text);
  if (json !== undefined) return openBraces(json);
  const shown = neutralText(text);
  if (escapeBody(shown) === shown) return shown;
  let out = '';
  for (const { start, end, next } of linesOf(shown)) {
    const line = shown.slice(start, end);
    // Escaped lines are left alone; no line is the first below the fields of a shell.
    out += line.startsWith('\\') ? line : escapeBody(`x\n${line}`).slice(2);
    out += shown.slice(end, next);
  }
  return out;
}

/**
 * A JSON document of the same value in which every character that hides and one character of every chat-template token
 * is spelled as an escape: it passes whatever shows, breaks or escapes text without being changed. Undefined for text
 * that is no JSON document.
 */
export function safeJson(text: string): string | undefined {
  const literals = literalsOf(text);
  if (literals === undefined) return undefined;
  const spelled = new Set<number>();
  for (const { start, end } of literals) {
    for (const hidden of findInvisible(text.slice(start, end))) {
      for (let at = hidden.start; at < hidden.end; at += 1) spelled.add(start + at);
    }
  }
  for (const at of breakOffsets(text)) spelled.add(at);
  if (spelled.size === 0) return text;
  let out = '';
  let from = 0;
  for (const at of [...spelled].sort((a, b) => a - b)) {
    out += `${text.slice(from, at)}\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
    from = at + 1;
  }
  return out + text.slice(from);
}

/** A value as JSON that is safe to stand in any text (see `safeJson`). */
export const printJson = (value: unknown, indent?: number): string => {
  const text = JSON.stringify(value, null, indent) as string;
  return safeJson(text) ?? text;
};
