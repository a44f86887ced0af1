import { guard } from '@cuebook/guard';

/**
 * The environment of a child: of the parent's only what every program needs to find its way, the names in
 * `allow`, and `set` on top. A name ending in `*` stands for all that begin so. What nobody named stays behind,
 * so that no program is handed the key of another.
 */
export function childEnvironment(
  parent: Readonly<Record<string, string | undefined>>,
  allow: readonly string[],
  set: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const isAllowed = matcher([...EVERY_PROGRAM, ...allow]);
  const kept = Object.entries(parent).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !guard('process.environment', !isAllowed(entry[0])),
  );
  return { ...Object.fromEntries(kept), ...set };
}

/** Letters of either case: proxies are set in lower case by custom, and Windows does not tell them apart. */
function matcher(names: readonly string[]): (name: string) => boolean {
  const upper = names.map((name) => name.toUpperCase());
  const exact = new Set(upper.filter((name) => !name.endsWith('*')));
  const prefixes = upper.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return (name) => {
    const wanted = name.toUpperCase();
    return exact.has(wanted) || prefixes.some((prefix) => wanted.startsWith(prefix));
  };
}

/** Where things are, how text looks, and how to reach the network: no name in it is a credential's. */
const EVERY_PROGRAM: readonly string[] = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'LC_*', 'TZ', 'TERM', 'COLORTERM'],
  ...['TMPDIR', 'TEMP', 'TMP', 'XDG_*'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'],
  ...['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO'],
  // Windows programs do not start without these.
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA'],
  ...['USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'NUMBER_OF_PROCESSORS'],
];
