import type { System } from '../ports.ts'

type CompletingShell = keyof typeof scripts

/** `relay completion zsh`: prints what makes that shell ask `relay complete` what could be typed next. */
export async function completion({ terminal }: System, shell: CompletingShell): Promise<number> {
  terminal.out(scripts[shell])
  return 0
}

/** They know nothing of relay's commands, so that they fit each version; `complete.ts` says what they are told. */
const scripts = {
  bash: `_relay() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    if [[ $word == :files ]]; then compopt -o default; else COMPREPLY+=("$word"); fi
  done < <(relay complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o nosort -F _relay relay 2>/dev/null || complete -F _relay relay`,
  zsh: `#compdef relay
_relay() {
  local line
  local -a found
  for line in "\${(@f)$(relay complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then _files; return; fi
    [[ -n $line ]] && found+=("\${line/$'\\t'/:}")
  done
  _describe -V relay found
}
if [[ $funcstack[1] == _relay ]]; then _relay "$@"; else compdef _relay relay; fi`,
  fish: `function __relay_complete
  set -l typed (commandline -opc) (commandline -ct)
  for line in (relay complete -- $typed[2..-1] 2>/dev/null)
    if test "$line" = :files
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c relay -k -f -a '(__relay_complete)'`,
} as const
