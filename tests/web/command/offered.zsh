# zsh -f offered.zsh SCRIPT LINE: what Tab offers after LINE when SCRIPT has been sourced, one per line.
# Zsh completes only at a terminal, so a second zsh at a pseudo-terminal also sources this file and prints what it offers.

if [[ ! -o interactive ]]; then
  zmodload zsh/zpty
  zpty inner zsh -f -i
  zpty -w inner "source ${(q)0:A} ${(q)1:A}"
  zpty -r inner output $'*set up*'
  zpty -n -w inner "$2"$'\t'
  zpty -r inner output $'*offered all*'
  zpty -d inner
  # Each line ends with the terminal's carriage return.
  print -rl -- ${${(M)${(f)${output//$'\r'/}}:#offered: *}#offered: }
  exit
fi

PS1=
autoload -Uz compinit && compinit -D -u
bindkey '^I' complete-word
compadd() {
  # With -O, -A or -D, compadd offers nothing but fills arrays for its callers.
  if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
    local -a matches
    builtin compadd -A matches "$@"
    print -rl -- 'offered: '$^matches
  fi
  builtin compadd "$@"
}
begins() { print; comppostfuncs=(ends) }
ends() { print offered all; compprefuncs=(begins) }
compprefuncs=(begins)
comppostfuncs=(ends)
source $1
# In two words, so the echo of the typed text does not match.
print set up
