import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { LeakContext } from '@cuebook/prompt';

/** What is private because of where and as whom the command runs. */
export interface MachineFacts {
  readonly home: string;
  readonly temp: readonly string[];
  readonly names: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** This machine, as the system tells it. */
export function thisMachine(env: MachineFacts['env']): MachineFacts {
  const temp = [tmpdir(), env.TMPDIR, env.TEMP, env.TMP].filter((path) => path !== undefined);
  return { home: homedir(), temp, names: [userName(env), hostname()].filter((name) => name !== ''), env };
}

/**
 * What must never be said on this machine: its home, temporary folders, user and host, and the credentials
 * in its environment. The project's folder is told by its alias.
 */
export function machineContext(machine: MachineFacts, project: string | undefined): LeakContext {
  const roots: LeakContext['roots'] = project === undefined ? [] : [['@project', resolve(project)]];
  return {
    roots: roots.filter(([, path]) => !isTop(path)),
    private: [...new Set([machine.home, ...machine.temp].map((path) => resolve(path)))].filter(
      (path) => !isTop(path),
    ),
    names: [...new Set(machine.names)],
    credentials: environmentCredentials(machine.env),
  };
}

/** The values of variables whose name says that they hold a credential. */
export function environmentCredentials(env: MachineFacts['env']): readonly string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) && isCredential(value) ? [value] : [],
  );
  return [...new Set(values)];
}

/** A whole part of the name: `API_KEY` counts, `KEYBOARD_LAYOUT` does not. */
const SECRET_NAME =
  /(?:^|_)(?:api_?keys?|keys?|tokens?|secrets?|passwords?|passwd|passphrase|credentials?|pat)(?:_|$)/i;

const MIN_CREDENTIAL = 8;
const MIN_PLAIN_WORD = 16;

/** Settings such as `disabled`, and paths to key files, would mask ordinary words everywhere. */
function isCredential(value: string): boolean {
  if (value.length < MIN_CREDENTIAL || /^(?:[/~.]|[a-z]:[\\/]|https?:\/\/[^@]*$)/i.test(value)) return false;
  return value.length >= MIN_PLAIN_WORD || !/^(?:[a-z]+|[A-Z]+|\d+)$/.test(value);
}

const isTop = (path: string): boolean => dirname(path) === path;

function userName(env: MachineFacts['env']): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry in the user table, as in many containers: the environment may know.
    return env.USER ?? env.USERNAME ?? '';
  }
}
