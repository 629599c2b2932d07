/** Completion scripts for shells, which contain every word, so that no process is started while a person types. */
import type { Completed, CompletedWord } from './words.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export const completionScript = (shell: Shell, all: readonly Completed[]): string => scripts[shell](all)

const joined = (words: readonly CompletedWord[]): string => words.map(({ word }) => word).join(' ')
const pathText = (path: readonly string[]): string => path.map((word) => ` ${word}`).join('')

/** A shell pattern of all command paths, to tell commands before the cursor from options and their values. */
const knownPaths = (all: readonly Completed[]): string =>
  all
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `'${pathText(path)}'`)
    .join('|')

const cases = (all: readonly Completed[], indent: string): string =>
  all.map(({ path, words }) => `${indent}'${pathText(path)}') list='${joined(words)}' ;;`).join('\n')

const bash = (all: readonly Completed[]): string => `# grantor completion for bash: source <(grantor completion bash)
_grantor() {
  local path='' word list=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in ${knownPaths(all)}) path="$path $word" ;; esac
  done
  case "$path" in
${cases(all, '    ')}
  esac
  COMPREPLY=($(compgen -W "$list" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _grantor grantor
`

const zsh = (all: readonly Completed[]): string => `#compdef grantor
# grantor completion for zsh: source <(grantor completion zsh)
_grantor() {
  local path_so_far='' word list=''
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$path_so_far $word" in (${knownPaths(all)}) path_so_far="$path_so_far $word" ;; esac
  done
  case "$path_so_far" in
${all.map(({ path, words }) => `    ('${pathText(path)}') list='${joined(words)}' ;;`).join('\n')}
  esac
  compadd -- \${(s: :)list} || _files
}
compdef _grantor grantor
`

const fishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const fish = (all: readonly Completed[]): string => `# grantor completion for fish: grantor completion fish | source
function __grantor_path
  set -l path ''
  for word in (commandline -opc)[2..]
    switch "$path $word"
      case ${all.flatMap(({ path }) => (path.length === 0 ? [] : [fishText(pathText(path))])).join(' ')}
        set path "$path $word"
    end
  end
  echo "$path"
end
${all
  .flatMap(({ path, words }) =>
    words.map(({ word, description }) => {
      const when = `-n 'test "(__grantor_path)" = "${pathText(path)}"'`
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${fishText(word)}`
      return `complete -c grantor ${when} ${what} -d ${fishText(description)}`
    }),
  )
  .join('\n')
  .replaceAll('"(__grantor_path)"', '(__grantor_path)')}
`

const scripts: Readonly<Record<Shell, (all: readonly Completed[]) => string>> = { bash, zsh, fish }
