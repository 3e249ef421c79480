/** What each shell evaluates: it asks the program itself, so that a script never grows old. */
export const scripts = {
  bash: `# Completion of core for bash: source <(core completion bash)
_core() {
  local words cur IFS=$'\\n'
  words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  cur="\${COMP_WORDS[COMP_CWORD]}"
  if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
    local cword all
    _get_comp_words_by_ref -n := -c cur -w all -i cword
    words=("\${all[@]:1:cword}")
  fi
  # The bash of macOS has no mapfile.
  # shellcheck disable=SC2207
  COMPREPLY=($(core __complete "\${words[@]}" 2>/dev/null))
  if declare -F __ltrim_colon_completions >/dev/null 2>&1; then
    __ltrim_colon_completions "$cur"
  fi
}
complete -F _core core
`,
  zsh: `#compdef core
# Completion of core for zsh: source <(core completion zsh)
_core() {
  local -a found
  found=(\${(f)"$(core __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  (( \${#found} )) && compadd -- $found
}
if [[ "$funcstack[1]" = _core ]]; then
  _core
else
  compdef _core core
fi
`,
  fish: `# Completion of core for fish: core completion fish | source
function __core_complete
  set -l words (commandline -opc) (commandline -ct)
  core __complete $words[2..-1] 2>/dev/null
end
complete -c core -e
complete -c core -f -a '(__core_complete)'
`,
} as const;
