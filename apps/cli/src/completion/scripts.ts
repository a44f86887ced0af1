import type { Command } from '../command.js';

/** The script for each shell. Commands stand in it; all else is asked of `cuebook __complete` when needed. */
export const SCRIPTS = { bash, zsh, fish } as const;

/** bash splits words at `:`, so the line is handed over whole and the part before the last `:` cut off again. */
function bash(commands: Commands): string {
  return `_cuebook() {
  local line="\${COMP_LINE:0:COMP_POINT}" current value
  local -a typed
  current="\${line##*[[:space:]]}"
  read -ra typed <<< "$line"
  if [[ -z $current ]]; then typed+=(""); fi
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$current"))
    return
  fi
  while IFS=$'\\t' read -r value _; do
    [[ $value == "$current"* ]] || continue
    if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then value="\${value#"\${current%:*}:"}"; fi
    COMPREPLY+=("$value")
  done < <(cuebook __complete -- "\${typed[@]}" 2>/dev/null)
}
complete -o default -F _cuebook cuebook
`;
}

function zsh(commands: Commands): string {
  const rows = commands.map(({ name, summary }) => `    ${single(`${name}:${summary}`)}`);
  return `#compdef cuebook
_cuebook() {
  local -a commands found
  commands=(
${rows.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  found=("\${(@f)$(cuebook __complete -- "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)found%%$'\\t'*}")
  if (( \${#found} )) && [[ -n \${found[1]} ]]; then
    compadd -- "\${found[@]}"
  else
    _files
  fi
}
compdef _cuebook cuebook
`;
}

function fish(commands: Commands): string {
  const rows = commands.map(
    ({ name, summary }) => `complete -c cuebook -n __fish_use_subcommand -f -a ${name} -d ${single(summary)}`,
  );
  return `${rows.join('\n')}
complete -c cuebook -n 'not __fish_use_subcommand' -a '(cuebook __complete -- (commandline -opc) (commandline -ct) 2>/dev/null)'
`;
}

type Commands = readonly Command[];

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
