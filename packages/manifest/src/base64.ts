/**
 * The bytes of a Secret's value, as the cluster decodes them: the standard alphabet with padding, line breaks
 * ignored. Undefined for anything else.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const joined = text.replace(/[\r\n]/g, '');
  if (joined.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(joined)) return undefined;
  return Uint8Array.from(atob(joined), (char) => char.charCodeAt(0));
}

/** The text of the bytes, or undefined when they are not UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not text: the caller says what that means.
    return undefined;
  }
}
