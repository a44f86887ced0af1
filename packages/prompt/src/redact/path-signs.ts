import { isDigit, isSeparator } from './chars.js';
import { hasExtension, type PathHead } from './extent.js';
import { isSegmentStart, segmentEnd } from './segments.js';

/** No path is looked at further than this. */
const SIGN_MAX = 400;

/**
 * A path from the root that no folder rule names, private by what it shows: a folder or a file that holds secrets, a
 * line of code that ran there, a shell that stood there. `at` is its first separator.
 */
export function matchSigns(text: string, at: number): PathHead | undefined {
  const segments = segmentsFrom(text, at);
  const first = segments[0];
  if (!first || segments.length < 2 || PLACEHOLDERS.has(first.name.toLowerCase())) return undefined;
  const last = segments[segments.length - 1]!;
  const secret = segments.findIndex((_, index) => index > 0 && isSecretSegment(text, segments, index));
  if (secret !== -1) return { start: at, from: segments[secret]!.end };
  const home = isPublicPlace(first.name) && first.name !== 'proc' ? -1 : segments.findIndex(isHome);
  if (home > 0 && home < segments.length - 1) return { start: at, from: segments[home + 1]!.end };
  if (isPublicPlace(first.name)) return undefined;
  if (segments.length > 2 && STORES.has(first.name) && DISK_FILE.test(last.name))
    return { start: at, from: last.end };
  if (hasExtension(text, at, last.end) && isLocated(text, last.end)) return { start: at, from: last.end };
  return STOOD.test(text.slice(Math.max(0, at - STOOD_MAX), at)) ? { start: at, from: last.end } : undefined;
}

/** The folder of homes, below another one: of a backup, a share, another system. */
const isHome = ({ name }: Segment): boolean => name === 'Users' || name === 'homes';

/** First folders of servers and of routes alike. */
const STORES: ReadonlySet<string> = new Set(
  'data storage export work projects project backup backups code repo sources apps deploy share sandbox net'.split(
    ' ',
  ),
);
/** Files that a disk holds and no page links to. */
const DISK_FILE =
  /\.(?:ts|tsx|cs|kt|swift|ipynb|csv|tsv|xlsx|docx|db|sqlite3?|log|py|pyc|go|rs|java|c|cc|cpp|h|sh|rb|ini|conf|cfg|toml|lock|parquet|ckpt|pt|safetensors|bin|bak|sql|dump|tar|tgz|gz)(?:[^\x21-\x7e].*|[.,;:!]*)$/i;

interface Segment {
  readonly name: string;
  readonly end: number;
}

function segmentsFrom(text: string, at: number): readonly Segment[] {
  const segments: Segment[] = [];
  for (let from = at; from - at < SIGN_MAX && isSeparator(text.charCodeAt(from)); ) {
    if (!isSegmentStart(text, from + 1)) break;
    const end = segmentEnd(text, from + 1);
    segments.push({ name: text.slice(from + 1, end), end });
    from = end;
  }
  return segments;
}

/** True when the segment holds secrets, and what stands before it is a file system's. */
function isSecretSegment(text: string, segments: readonly Segment[], index: number): boolean {
  const { name, end } = segments[index]!;
  // What follows in a script without spaces, and the sentence's own marks, are no part of the name.
  const lower = name.toLowerCase().replace(/(?:[^\x21-\x7e].*|[.,;:!]+)$/s, '');
  const first = segments[0]!.name;
  if (SECRET_NAMES.has(lower) || /^\.env(?:\.[\w-]+)?$/.test(lower)) return !ROUTES.has(first);
  const isFolder = isSeparator(text.charCodeAt(end));
  if (SECRET_FOLDERS.has(lower)) return isFolder && ROOT_FOLDERS.test(first);
  if (isFolder || !/[^.]\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|p8)$/.test(lower)) return false;
  return !ROUTES.has(first) && !isPublicCertificate(segments);
}

/** `/etc/ssl/certs/x.pem`, `/usr/share/x.pem`: everybody has it. */
const isPublicCertificate = (segments: readonly Segment[]): boolean =>
  segments.some(({ name }) => name === 'certs' || name === 'ca-certificates') ||
  /^(?:cert|cacert|ca-bundle)\.pem$/.test(segments[segments.length - 1]!.name) ||
  (segments[0]!.name === 'usr' && /^(?:share|lib|src)$/.test(segments[1]!.name));

const wordsOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Names that stand for secrets wherever they are. */
const SECRET_NAMES = wordsOf(
  '.ssh .aws .gnupg .kube .azure .gcloud .oci .docker .netrc .pgpass .npmrc .pypirc .git-credentials .htpasswd .vault-token ' +
    '.password-store .secrets .credentials .my.cnf .boto .s3cfg .bash_history .zsh_history .terraformrc id_rsa id_dsa ' +
    'id_ecdsa id_ed25519 id_rsa.pub id_ed25519.pub wallet.dat',
);
/** Folders that do so in a file system; in a route they are a word. */
const SECRET_FOLDERS = wordsOf('private secret secrets credentials creds keystore keystores vault keys');
const ROOT_FOLDERS =
  /^(?:etc|var|opt|srv|usr|run|mnt|media|home|root|export|snap|app|boot|lib|nix|data|storage|workspace|workdir|config|conf|secure|[a-z]{2,9}\d{1,3})$/i;
/** First words of routes. */
const ROUTES = wordsOf(
  'api rest graphql docs doc static assets public users user admin auth oauth login images img js css v1 v2 v3',
);
/** What every system brings along. */
const SYSTEM = wordsOf('usr lib lib64 bin sbin proc sys dev nix gnu');
/** What documentation calls a folder that nobody has. */
const PLACEHOLDERS = wordsOf(
  'path foo bar a b c x y dir some your my example absolute full file files folder directory',
);
const SOURCES = wordsOf(
  'src lib libs dist build out test tests packages node_modules internal components pages',
);

/** Where a line of code or a shell says nothing about whose machine it is. */
const isPublicPlace = (first: string): boolean =>
  SYSTEM.has(first) || ROUTES.has(first) || SOURCES.has(first) || OTHERS.has(first) || first.startsWith('@');
const OTHERS = wordsOf('etc var opt app snap boot run tmp Applications Library System cdn-cgi');

/** `:10:5`, `:10`, `", line 3`, `(10,5)`, `(10):` behind the file: code that ran, not a page. */
function isLocated(text: string, end: number): boolean {
  const next = text.charCodeAt(end);
  if (next === 58)
    return isDigit(text.charCodeAt(end + 1)) && /^:\d{1,7}(?![\w/])/.test(text.slice(end, end + 10));
  return /^(?:["'] ?, line \d|\(\d{1,6}(?:,\d+\)|\):))/.test(text.slice(end, end + 14));
}

/** How far before a path the words stand that say so. */
const STOOD_MAX = 40;
const STOOD_NAMES =
  'cwd|PWD|OLDPWD|HOME|working ?[Dd]ir(?:ectory)?|current directory|workdir|rootDir|root_dir|baseDir|base_dir|projectRoot|projectDir|repoRoot|workspaceRoot|workspaceFolder';
const STOOD_FLAGS = '--(?:workdir|cwd|chdir|directory|root-dir|work-tree|project-dir|data-dir)[ =]|-C ';

/** A shell or a program says where it stands. */
const STOOD = new RegExp(
  String.raw`(?:(?:^|[\s;&|\x60"'(])(?:(?:cd|pushd|chdir) ["']?|(?:${STOOD_FLAGS})["']?|pwd\r?\n)|\b(?:${STOOD_NAMES})["']? ?[:=] ?["']?|(?:Entering|Leaving) directory ['"\x60])$`,
);
