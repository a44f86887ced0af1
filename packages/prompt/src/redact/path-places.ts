/**
 * Places of a text where only a path on a disk stands, the surest first. `certain`: a line of a trace, a shell, a folder that
 * something works in. `message`: a line that says what went wrong with a file. `position`: a line and a column behind it.
 * `command`: what a program is given, where a path of names that everybody has says nothing.
 */
export type PathPlace = 'certain' | 'message' | 'position' | 'command';

/** How much of the line before a path is looked at. */
const BEFORE_MAX = 120;
/** The longest word of a system behind a path. */
const BEHIND_MAX = 48;

/** The place of the path `[at, end)`, or undefined where it may as well be a route. */
export function placeOf(text: string, at: number, end: number): PathPlace | undefined {
  const behind = text.slice(end, end + BEHIND_MAX);
  if (LINE.test(behind)) return 'certain';
  if (POSITION.test(behind)) return 'position';
  if (MOUNTED.test(behind)) return 'certain';
  const near = text.slice(Math.max(0, at - BEFORE_MAX), at);
  const line = near.slice(near.lastIndexOf('\n') + 1);
  if (IN_TABLE.test(line) || STOOD.test(line) || STOOD_ABOVE.test(near) || isPrompt(line, behind))
    return 'certain';
  if (ERROR.test(line)) return 'message';
  const isShared = SHARED.test(text.slice(at, at + 12)) && ON_MACHINE.test(line);
  return isShared || COMMAND.test(line) || INSTRUCTION.test(line) || GIVEN.test(line) ? 'command' : undefined;
}

/** What a runtime, a system or a shell says behind the path: `", line 3`, ` on line 12`, `: No such file`. */
const LINE = new RegExp(
  String.raw`^(?:["'\x60]? ?, line \d|["'\x60]? on line \d| line \d+[.,]|:line \d|:\d{1,7}:in\b|["'\x60\u2019]?\)?: (?:` +
    '[Nn]o such file|[Pp]ermission denied|Is a directory|Not a directory|File exists|Device or resource|Read-only file|' +
    'Operation not permitted|Directory not empty|cannot (?:open|execute)|Text file busy|Too many levels|Input/output error|' +
    'Exec format|bad interpreter|open failed|cannot access|[Cc]annot (?:stat|open)|line \\d+: |[Ii]n function ))',
);

/** `:10:5`, `:10`, `(10,5)`, `(10):`, `: (3, 4)`: code that ran, not a page, where the path ends in the name of a file. */
const POSITION = /^(?::\d{1,7}(?![\w/])|\(\d{1,6}(?:,\d+\)|\):)|: \(\d{1,6}, \d)/;

/** What `mount` and `fstab` say behind a folder: its file system. */
const MOUNTED =
  /^[ \t]{1,40}(?:type )?(?:ext[234]|xfs|btrfs|zfs|nfs4?|cifs|smbfs|vfat|exfat|ntfs3?|fuse(?:\.\w+)?|overlay|9p|virtiofs|ceph)(?:[\s(]|$)|^[ \t]{1,40}[\w*.:/-]{1,60}\((?:rw|ro)\b/;
/** What `df` and `lsblk` say before it. */
const IN_TABLE = /(?:\d% {1,40}|\d[\d.]*[KMGT]? \d part )$/;
/** `fs01:`, `10.0.0.2:`, `nas.x.test:`: another machine, whose folder it is. */
const SHARED = /^\/(?:exports?|srv|vol(?:ume)?s?\d{0,3}|data\d{0,3}|backups?|shares?|nfs|storage)\//;
const ON_MACHINE =
  /(?:^|[\s"'\x60=])(?:[a-z][a-z-]{0,30}\d{1,4}|(?:[\w-]{1,40}\.){1,5}[a-z]{2,12}|(?:\d{1,3}\.){3}\d{1,3}):$/;

const STOOD_NAMES =
  'cwd|PWD|OLDPWD|HOME|working ?[Dd]ir(?:ectory)?|current directory|workdir|[Ww]orkingDir|WorkDir|root_?[Dd]ir|base_?[Dd]ir|projectRoot|' +
  'projectDir|repoRoot|workspaceRoot|workspaceFolder|__dirname|__filename|sourceRoot';
const STOOD_FLAGS = '--(?:workdir|cwd|chdir|directory|root-dir|work-tree|project-dir|data-dir)[ =]|-C ';

/** A shell or a program says where it stands. */
const STOOD = new RegExp(
  String.raw`(?:(?:^|[\s;&|\x60"'(])(?:${STOOD_FLAGS})["']?|\b(?:${STOOD_NAMES})["']? ?[:=] ?["']?|\bcwd |(?:Entering|Leaving) directory ['"\x60])$`,
);
const STOOD_ABOVE = /(?:^|[\s;&|`"'(])pwd\r?\n$|Require stack:(?:\r?\n- \S+)*\r?\n- $/;

const VERBS = 'access|open|stat|remove|create|touch|move|copy|execute|read|write|lock|rename|chdir|cd';
/** A system could not do something with the file that follows in the line. */
const ERROR = new RegExp(
  String.raw`\bE(?:NOENT|ACCES|PERM|EXIST|ISDIR|NOTDIR|[MN]FILE|ROFS|BUSY|NOTEMPTY|NOSPC|XDEV|LOOP|INVAL|IO|TXTBSY)\b|\[(?:Errno|WinError) |` +
    String.raw`[Nn]o such file|[Ff]ile ?[Nn]ot ?[Ff]ound|NoSuchFile|find a part of the path|\b(?:[Cc](?:annot|an't|an not|ould ?n[o']t)|[Ff]ailed to|[Uu]nable to) (?:${VERBS})\b|` +
    String.raw`[Cc]annot find (?:module|file)|[Cc]an't resolve\b.* in |not a git repository|dubious ownership|` +
    String.raw`^(?:-?(?:ba|z|da|k|a)?sh|fish): (?:line |)\d*:? ?["']?$|\bnpm (?:ERR!|error|warn) |` +
    String.raw`\bv\d[\w.-]* \($|\b(?:[Ww]rote|Running|[Ww]ritten to|[Ss]aved (?:to|as)|[Ll]og of this run can be found in:) ["']?$`,
);

/** `root@box:/x`, `[me@box /x]$`, and a line that begins with a folder and a sign of a shell. */
const isPrompt = (line: string, behind: string): boolean =>
  /(?:[\w.-]+@[\w.-]+:|\[[\w.-]+@[\w.-]+ )$/.test(line) ||
  (/(?:^|\s)(?:[\w.-]+@[\w.-]+ |PS )$/.test(line) && /^(?: [%$#]|>) /.test(behind)) ||
  (/^[ ([]{0,2}$/.test(line) &&
    /^\]? (?:[$%] |# (?:npm|npx|ls|cd|cat|apk|apt|node|python\d?|pip|yarn|git|exit|sh)\b)/.test(behind));

/** Where a command begins. */
const BEGINS = String.raw`(?:^|[;&|\x60"'([]|[$#>%] |-- |RUN |run: |sudo |exec |time |- )\s*`;
/** Programs that work on files: whatever they are given. */
const ON_FILES =
  'cat|ls|cp|mv|rm|cd|pushd|chdir|mkdir|rmdir|chmod|chown|rsync|scp|tar|vim?|nano|nvim|emacs|tail|head|du|stat|ln|grep|egrep|rg|sed|awk|' +
  'jq|less|unzip|touch|diff|sha256sum|md5sum|docker|podman|nerdctl|kubectl|oc';
/** The same where nothing but flags stands between: words of sentences too. */
const RUNS =
  'find|source|node|python|python3|ruby|php|perl|bash|sh|deno|bun|java|tsx|ts-node|pytest|uvicorn|gunicorn|exec|jest --config|code';
const COMMAND = new RegExp(
  String.raw`${BEGINS}(?:(?:${ON_FILES})(?: [^\n|;&]{0,100})?[ :]|(?:${RUNS}) (?:--?[\w=.:-]+ ){0,4})["']?$|` +
    String.raw`[\s\x60"'(](?:cd|pushd|chdir) ["']?$`,
);
/** A line of a recipe for an image. */
const INSTRUCTION = /^\s*(?:COPY|ADD|WORKDIR|VOLUME|ENTRYPOINT|CMD)\s[^\n]*$/;

const ENVIRONMENT =
  '[A-Z][A-Z0-9_]*_(?:HOME|DIR|FILE|ROOT|FOLDER|DIRECTORY|ENV)|PATH|[A-Z]{2,12}PATH|NODE_PATH|LD_LIBRARY_PATH|(?:DB|DATABASE|LOG|CONFIG|DATA|MODEL|CACHE|STORAGE)_PATH|WORKSPACE';
const FIELDS =
  '[a-z]+(?:Dir|_dir|Directory|_directory|Folder|_folder)|mountPath|hostPath|file_?[Nn]ame|file_?[Pp]ath';
const FLAGS =
  '-[vwoILfc]|--(?:volume|mount|config|file|output|project|log|[a-z-]+-(?:dir|directory|file|folder|root))';
/** An environment, a field or a flag that holds a path, and the volumes of a container. */
const GIVEN = new RegExp(
  String.raw`(?:(?:^|[\s"'\x60{(,;])(?:(?:${ENVIRONMENT}|${FIELDS})["']? ?[:=] ?["']?(?:[^\s"':]*:){0,20}|(?:${FLAGS})[ =]["']?(?:[^\s"']*[:=,])?)|^\s*- ["']?[\w.$~{}/-]+:)$`,
);

const HOLDS_PATH = new RegExp(`^(?:${STOOD_NAMES}|${ENVIRONMENT}|${FIELDS})$`);

/** True for a key of a structured value that holds a path on a disk: `cwd`, `DATA_DIR`. */
export const holdsPath = (key: string): boolean => key.length < 40 && HOLDS_PATH.test(key);
