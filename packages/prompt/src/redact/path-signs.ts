import { isSeparator } from './chars.js';
import { hasExtension, type PathHead } from './extent.js';
import { placeOf } from './path-places.js';
import { isSegmentStart, segmentEnd } from './segments.js';

/** No path is looked at further than this. */
const SIGN_MAX = 400;

/**
 * A path from the root that no folder rule names, private by what it shows: a folder or a file that holds secrets, a
 * line of code that ran there, a shell that stood there. `at` is its first separator; `isDoubled` when two stand there: a
 * name of something else then (`//src:x`, `s3://x`), wherever it stands.
 */
export function matchSigns(text: string, at: number, isDoubled = false): PathHead | undefined {
  const segments = segmentsFrom(text, at);
  const first = segments[0];
  if (!first || segments.length < 2 || PLACEHOLDERS.has(first.name.toLowerCase())) return undefined;
  const last = segments[segments.length - 1]!;
  const secret = segments.findIndex((_, index) => index > 0 && isSecretSegment(text, segments, index));
  if (secret !== -1) return { start: at, from: segments[secret]!.end };
  if (first.name === 'nix' && OF_SOMEBODY.test(segments[2]?.name ?? ''))
    return { start: at, from: segments[2]!.end };
  const home = isPublicPlace(first.name) && first.name !== 'proc' ? -1 : segments.findIndex(isHome);
  if (home > 0 && home < segments.length - 1) return { start: at, from: segments[home + 1]!.end };
  if (isPublicPlace(first.name)) return undefined;
  const isStored = segments.length > 2 && STORES.has(first.name) && DISK_FILE.test(last.name);
  if (isStored && !(SOURCE_ROOTS.has(first.name) && WEB_FILE.test(last.name)))
    return { start: at, from: last.end };
  if (first.name === 'layers' && /[._]/.test(segments[1]!.name)) return { start: at, from: segments[1]!.end };
  return !isDoubled && isSeenOnDisk(text, at, segments) ? { start: at, from: last.end } : undefined;
}

/** The place where the path stands has only files of a disk. */
function isSeenOnDisk(text: string, at: number, segments: readonly Segment[]): boolean {
  const first = segments[0]!.name;
  const { end } = segments[segments.length - 1]!;
  const place = placeOf(text, at, end);
  if (place === undefined) return false;
  // Pages have positions too, and a program may be given a route.
  if (ROUTES.has(first) || SOURCES.has(first)) return place === 'certain';
  if (place === 'position') return hasExtension(text, at, end);
  return place !== 'command' || !SOURCE_ROOTS.has(first) || !segments.every(({ name }) => isEverybodys(name));
}

/** The folder of homes, below another one: of a backup, a share, another system. */
const isHome = ({ name }: Segment): boolean => name === 'Users' || name === 'homes';

/** What a store of packages calls after a person or a machine. */
const OF_SOMEBODY = /^[a-z0-9]{32}-(?:nixos-system-|darwin-system-\w|home-(?!manager)|user-(?!environment))/;

/** First folders of servers and of routes alike. */
const STORES: ReadonlySet<string> = new Set(
  'data storage export work projects project backup backups code repo sources apps deploy share sandbox net app src build pkg content notebooks function functions lambda'.split(
    ' ',
  ),
);
/** Files that a disk holds and no page links to. */
const DISK_FILE =
  /.\.(?:ts|tsx|cs|kt|swift|ipynb|csv|tsv|xlsx|docx|db|sqlite3?|log|py|pyc|go|rs|java|c|cc|cpp|h|sh|rb|ini|conf|cfg|toml|lock|parquet|ckpt|pt|safetensors|bin|bak|sql|dump|tar|tgz|gz)(?:[^\x21-\x7e].*|[.,;:!]*)$/i;

/** What the modules of a page are written in: an address of a development server ends in them. */
const WEB_FILE = /\.(?:ts|tsx)(?:[^\x21-\x7e].*|[.,;:!]*)$/i;

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
  'path foo bar a b c x y dir some your my example absolute full file files folder directory host container on',
);
const SOURCES = wordsOf('lib libs dist out test tests packages node_modules internal components pages');

/** Where a line of code or a shell says nothing about whose machine it is. */
const isPublicPlace = (first: string): boolean =>
  SYSTEM.has(first) || OTHERS.has(first) || first.startsWith('@');
const OTHERS = wordsOf('etc var opt snap boot run tmp Applications Library System cdn-cgi');

/** First folders of images that everybody builds. */
const SOURCE_ROOTS = wordsOf('app src build code workspace project projects repo data apps work');
/** Names that say nothing below one of them. */
const isEverybodys = (name: string): boolean => EVERYBODYS.has(name) || PLACEHOLDERS.has(name.toLowerCase());
const EVERYBODYS = wordsOf(
  'app apps src dist build out lib libs bin public static assets data db config configs conf log logs tmp cache uploads media www html ' +
    'client server backend frontend api web node_modules vendor target venv .venv env scripts test tests packages output input ' +
    'code work workspace project projects repo storage next .next node .cache site docs myapp my-app hello ' +
    '.bin .bin index.js index.html main.js main.py main.go main server.js server app.js app.py app.jar manage.py run.sh start.sh entrypoint.sh ' +
    'docker-entrypoint.sh package.json package-lock.json yarn.lock pnpm-lock.yaml tsconfig.json requirements.txt pyproject.toml ' +
    'poetry.lock go.mod go.sum Cargo.toml Cargo.lock pom.xml Gemfile Gemfile.lock Makefile Dockerfile nginx.conf config.json config.yaml config.yml',
);
