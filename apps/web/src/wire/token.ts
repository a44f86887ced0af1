const KEY = 'cuebook.token';

/**
 * The token of this tab. It is taken out of the address, so that it is in no history and in no link that is copied. It is
 * sent in a header: a cookie would be sent to every port of this host, whoever listens there. A screen may stand behind it:
 * `#token=TOKEN/runs`.
 */
export function takeToken(): string | null {
  const [, found, screen = '/'] = /^#token=([\w.-]+)(\/.*)?$/su.exec(location.hash) ?? [];
  if (found !== undefined) {
    keepToken(found);
    history.replaceState(null, '', `#${screen}`);
  }
  return sessionStorage.getItem(KEY);
}

/** Keeps the token of this tab; null: it has none any more. */
export function keepToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token);
}
