# shellcheck shell=bash
# shellcheck disable=SC2154 # what `rollcall` has set
# `--slurm VERSION` of `./rollcall demo`, `test` and `bench`: the Debian release that has this Slurm, in a root of its own (debian-root.sh). `rollcall` at
# the root of the tree reads this file.

# The Debian release with a version of Slurm.
release_with_slurm() {
  case $1 in
    22.05) echo bookworm ;;
    24.11) echo trixie ;;
    26.05) echo sid ;;
    *) return 1 ;;
  esac
}

# The version of Slurm that is installed here, or that apt would install: 22.05. Empty without one.
slurm_of_system() {
  local version
  version=$(dpkg-query -W -f '${db:Status-Status} ${Version}' slurmctld 2>/dev/null) || true
  [[ $version == installed\ * ]] || version=$(LC_ALL=C apt-cache policy slurmctld 2>/dev/null | grep Candidate:) || true
  [[ ! ${version#*[: ]} =~ [0-9]+\.[0-9]+ ]] || echo "${BASH_REMATCH[0]}"
}

# The folders below target with results, which outlive the root.
kept_folder() {
  case $1 in
    test) echo services/lab/target/tests ;;
    bench) echo load-tests/target/bench ;;
  esac
}

# with_slurm WORD...: runs the command in the root, and does not return. If this system has the version, the array `words_here` gets the words without it.
with_slurm() {
  local given=("$@") version='' own release keep folder
  words_here=()
  while (($#)); do
    if [[ $1 == --slurm && ${2:-} == [0-9]* ]]; then
      version=$2
      [[ ${given[0]} == bench ]] || words_here+=(--slurm)
      shift
    else
      words_here+=("$1")
    fi
    shift
  done
  release=$(release_with_slurm "$version") ||
    fail "--slurm $version: no Debian release with this Slurm is known. Versions: 22.05 (Debian 12), 24.11 (Debian 13), 26.05 (sid)"
  [[ " ${given[*]} " != *" --vm "* ]] || fail "--slurm $version cannot run with --vm: the emulated machine has Debian 12's Slurm"
  own=$(slurm_of_system)
  [[ $own != "$version" ]] || return 0
  [[ -z ${ROLLCALL_ROOT_OF:-} ]] || fail "--slurm $version: Debian $ROLLCALL_ROOT_OF has Slurm ${own:-none}"
  ((EUID == 0)) || fail "--slurm $version: this system has Slurm ${own:-none}. Run as root, which makes a root with Debian $release"
  install_missing mmdebstrap debian-archive-keyring git
  keep=()
  folder=$(kept_folder "${given[0]}")
  [[ -z $folder ]] || keep=(--keep "$folder" "$folder-$version")
  exec "$root/services/lab/debian-root.sh" "${keep[@]}" "$release" "$root" env "ROLLCALL_ROOT_OF=$release" "ROLLCALL_COMMIT=$(built_commit)" \
    ./rollcall "${given[@]}"
}
