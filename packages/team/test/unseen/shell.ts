// Commands that make a file, written in ways that nobody has listed. Each of them is run by a real shell once, to show
// that it would make its file: what is asked about is a true act.

/** Ways to spell "make this file" for bash; the path comes quoted where the template does not quote it. */
const COMMANDS: readonly string[] = [
  ...[
    'touch P',
    'cuebook_x=1; touch P',
    'touch P # (cuebook MCP Server)',
    ': mcp__cuebook__spawn_node; touch P',
  ],
  ...[
    '> P',
    ': >> P',
    'echo hi > P',
    'ls > P',
    'pwd > P',
    'cat /dev/null > P',
    'cat </dev/null >| P',
    'ls &> P',
  ],
  ...['ls; touch P', 'ls && touch P', 'ls\ntouch P', 'ls & touch P', 'false || touch P', 'true | touch P'],
  ...[
    'echo $(touch P)',
    'echo "$(touch P)"',
    'echo `touch P`',
    'cat <(touch P) ; sleep 0.05',
    'ls $(touch P)',
  ],
  ...['eval "touch "P', 'bash -c \'touch "$0"\' P', 'sh -c \'touch "$1"\' read P', 't\\ouch P', "'to'uch P"],
  ...[
    "$'\\x74ouch' P",
    'a=touch; $a P',
    'a=tou; "$a"ch P',
    'command touch P',
    'env touch P',
    'env -i /usr/bin/touch P',
  ],
  ...[
    'nohup touch P',
    'timeout 5 touch P',
    'nice touch P',
    'echo P | xargs touch',
    'find . -maxdepth 0 -exec touch P \\;',
  ],
  ...['find . -maxdepth 0 -fprint P', 'find . -maxdepth 0 -fls P', 'find . -maxdepth 0 -fprintf P x'],
  ...[
    'sort -o P /dev/null',
    'sort --output=P /dev/null',
    'tee P < /dev/null',
    'ls | tee P',
    'cp /dev/null P',
  ],
  ...[
    'dd if=/dev/null of=P status=none',
    'uniq /dev/null P',
    'sed -n "w "P /etc/hostname',
    'split -l 9 /etc/hostname P-',
  ],
  ...[
    "awk 'BEGIN { print > ARGV[1] }' P",
    'sed --in-place=P-old 1p <(:); touch P',
    'install /dev/null P',
    'ln -s x P',
  ],
  ...[
    'mkdir P',
    'mktemp P.XXXX',
    'truncate -s 1 P',
    'while touch P; do break; done',
    'case $(touch P) in *) ;; esac',
  ],
  ...[
    'trap "touch "P EXIT',
    'f() { touch "$1"; }; f P',
    'coproc touch P; wait',
    'cat <<X\n$(touch P)\nX',
    'time touch P',
  ],
  ...[
    "printf -v 'a[$(touch P)]' x",
    "test -v 'a[$(touch P)]'",
    "x='a[$(touch P)]'; ((x))",
    'echo $(( $(touch P) 1 ))',
  ],
  ...[
    "read 'a[$(touch P)]' <<< x",
    'exec 9> P',
    '{ touch P; }',
    '( touch P )',
    '! touch P',
    '[[ $(touch P) ]]',
  ],
  ...['git --version; touch P', 'git -c alias.x="!touch "P x', 'GIT_EXTERNAL_DIFF=true git --version > P'],
  ...[
    'git init -q . ; git -c core.fsmonitor="touch "P" #" status',
    'git diff --no-index --output=P /dev/null /etc/hostname',
  ],
  ...[
    "python3 -c \"open('P', 'w')\" || touch P",
    'perl -e "open F, q(>), shift" P || touch P',
    'head -c0 /dev/null | tee P',
  ],
  ...[
    'declare x=$(touch P)',
    'wc -l < <(touch P); sleep 0.05',
    'cd . && touch P',
    'unset a; touch P',
    'echo x | dd of=P status=none',
  ],
];

/** Ways to spell a path of a file in the folder: `link` is a link to the folder itself. */
const PATHS: readonly ((name: string, folder: string) => string)[] = [
  (name) => name,
  (name) => `./${name}`,
  (name) => `.//./${name}`,
  (name) => `sub/../${name}`,
  (name) => `link/${name}`,
  (name) => `sub/back/${name}`,
  (name, folder) => `${folder}/${name}`,
  (name, folder) => `${folder}/sub/../link/${name}`,
];

/** What a number makes of a list: the same one each time. */
export type Pick = <Item>(items: readonly Item[]) => Item;

export const pathFor = (pick: Pick, name: string, folder: string): string => pick(PATHS)(name, folder);

/** A command that makes the file. */
export const commandFor = (pick: Pick, path: string): string => {
  const command = pick(COMMANDS).replaceAll('P', () => path);
  return pick([
    command,
    command,
    `${command} # mcp__cuebook__spawn_node`,
    `cuebook=1\n${command}`,
    ` \t${command}`,
    `ls; ${command}`,
  ]);
};
