import { server } from './server.js';
import { keepToken } from './token.js';

const KEY = 'cuebook.sign-in';

/** The host of the provider that people sign in at; null: they have links alone. */
export async function findProvider(): Promise<string | null> {
  const answer = await server.getSignIn();
  return answer.ok ? answer.value.provider : null;
}

/** Leaves for the provider. The key stays in this tab: nobody else can end what it began. Answers what went wrong. */
export async function beginSignIn(): Promise<string | undefined> {
  const key = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  const keyHash = base64url(new Uint8Array(digest));
  const begun = await server.beginSignIn({ redirect: `${location.origin}/`, keyHash });
  if (!begun.ok) return begun.error.message;
  sessionStorage.setItem(KEY, key);
  location.assign(begun.value.url);
  return undefined;
}

/** Whether the browser comes back from the provider. */
export const isBack = (): boolean => /[?&]state=/.test(location.search);

/** Ends what this tab began, and opens the app. Answers what went wrong. */
export async function endSignIn(): Promise<string | undefined> {
  const query = location.search.slice(1);
  const key = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  // The way back is good for one time, and belongs into no history.
  history.replaceState(null, '', '/');
  if (key === null) return 'This sign-in was not started in this tab. Sign in again.';
  const ended = await server.endSignIn({ query, key });
  if (!ended.ok) return ended.error.message;
  keepToken(ended.value.token);
  location.reload();
  return undefined;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Takes the token of this tab back, if it is one of a person. Either way the tab forgets it. */
export async function signOut(): Promise<void> {
  await server.signOut({});
  keepToken(null);
  location.reload();
}
