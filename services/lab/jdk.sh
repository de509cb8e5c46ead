# shellcheck shell=bash
# shellcheck disable=SC2154 # what `rollcall` has set
# A JDK 25 for a system whose packages have none, in the folder .jdk of the tree. `rollcall` at the root of the tree reads this file.
jdks=$root/.jdk

# The name of the Debian release: bookworm. Empty on other systems.
# shellcheck source=/dev/null
debian_release() { (. /etc/os-release 2>/dev/null && [[ $ID == debian ]] && echo "${VERSION_CODENAME:-}") || true; }

# Debian 12: the JDK of Debian 13 with its own libc beside it, for the build and the demo. Packages are not made with it: the Java in them would need this
# folder.
unpack_debians_jdk() {
  local made=$jdks/new packages=(openjdk-25-jre-headless openjdk-25-jdk-headless libc6 libgcc-s1 libstdc++6 zlib1g) log=$jdks/debian.log
  install_missing patchelf
  say "unpacking the JDK 25 of Debian 13 into $jdks/debian"
  rm -rf "$made"
  mkdir -p "$made"/{lists/partial,archives/partial,parts,root}
  trixie_apt update >"$log" 2>&1 </dev/null || fail "the package lists of Debian 13 cannot be read: see $log"
  (cd "$made/parts" && trixie_apt download "${packages[@]}") >>"$log" 2>&1 </dev/null || fail "the JDK of Debian 13 cannot be downloaded: see $log"
  for package in "$made"/parts/*.deb; do dpkg-deb -x "$package" "$made/root"; done
  use_own_libc "$made/root" "$jdks/debian" >>"$log" 2>&1 || fail "the JDK of Debian 13 could not be prepared: see $log"
  rm -rf "$jdks/debian"
  mv "$made/root" "$jdks/debian"
  rm -rf "$made"
  "$(echo "$jdks"/debian/usr/lib/jvm/java-25-openjdk-*)/bin/java" -version >>"$log" 2>&1 || {
    rm -rf "$jdks/debian"
    fail "the JDK of Debian 13 does not start here: see $log"
  }
}

# apt with Debian 13's packages, and nothing of this system's lists. apt checks the archive's signature.
trixie_apt() {
  local mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null | grep -v security | head -n 1) || true
  mirror=${mirror:-http://deb.debian.org/debian}
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >"$made/sources.list"
  apt-get -q -o "Dir::Etc::SourceList=$made/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$made/lists" \
    -o "Dir::Cache=$made" -o Dir::State::status=/dev/null -o APT::Sandbox::User=root "$@"
}

# use_own_libc FOLDER LATER: the programs of the JDK below FOLDER start with the libc beside them, and their libraries find it, when FOLDER is at LATER. RPATH,
# unlike RUNPATH, applies to the libraries of a library too. Links into /etc get the files of the packages.
use_own_libc() {
  local folder=$1 later=$2 jdk libs loader file
  jdk=$(echo "$folder"/usr/lib/jvm/java-25-openjdk-*)
  loader=$(find "$folder/usr/lib" -name 'ld-linux*.so.*' -type f -print -quit)
  loader=$later${loader#"$folder"}
  libs=$(dirname "$loader")
  find "$jdk" -type l -lname '/etc/java-25-openjdk/*' | while read -r file; do
    cp --remove-destination "$folder$(readlink "$file")" "$file"
  done
  find "$jdk/bin" "$jdk/lib" -type f | while read -r file; do
    [[ $(head -c 4 "$file" | tr -d '\0') == $'\x7fELF' ]] || continue
    [[ $file == *.so ]] || patchelf --set-interpreter "$loader" "$file"
    patchelf --force-rpath --set-rpath "$libs:\$ORIGIN:\$ORIGIN/../lib:\$ORIGIN/../lib/server:\$ORIGIN/server:\$ORIGIN/.." "$file"
  done
}

# Other systems: Temurin, from its publisher or from ROLLCALL_JDK_URL.
temurin=25.0.3_9
temurin_url() {
  local arch
  case $(uname -m) in
    x86_64) arch=x64 ;;
    aarch64) arch=aarch64 ;;
    *) return 1 ;;
  esac
  echo "https://github.com/adoptium/temurin25-binaries/releases/download/jdk-${temurin/_/%2B}/OpenJDK25U-jdk_${arch}_linux_hotspot_$temurin.tar.gz"
}

# What its publisher names for the file (https://adoptium.net/temurin/releases).
temurin_sum() {
  case $(uname -m) in
    x86_64) echo 69264a7a211bf5029830d07bc3370f879769d62ebc5b5488e90c9343a2da0e1f ;;
    aarch64) echo 3e4287cb98870ba824ed698854bdc27cff984254caf66dd12cc291e7bfdde26b ;;
  esac
}

# fetch_temurin PROBLEM YES: asks first, if YES is empty. A file of another name than the publisher's has its checksum beside it, in FILE.sha256.txt.
fetch_temurin() {
  local problem=$1 yes=$2 standard url file=$jdks/temurin.tar.gz expected found
  standard=$(temurin_url) || fail "$problem No JDK for $(uname -m) can be fetched: unpack one into /usr/lib/jvm, or set JAVA_HOME."
  url=${ROLLCALL_JDK_URL:-$standard}
  if [[ -z $yes ]]; then
    [[ -t 0 && -t 2 ]] || fail "$problem To fetch $url (140 MB) into $jdks: ./rollcall --yes COMMAND. Or set JAVA_HOME."
    say "$problem"
    read -r -p "Fetch $url (140 MB) into $jdks? [y/N] " yes >&2 || true
    [[ $yes == [yY]* ]] || fail "nothing was fetched. Unpack a JDK 25 into /usr/lib/jvm, or set JAVA_HOME."
  fi
  command -v curl >/dev/null || install_missing curl ca-certificates
  command -v curl >/dev/null || fail "curl is missing: install it, or unpack a JDK 25 into /usr/lib/jvm"
  mkdir -p "$jdks"
  say "fetching $url"
  if [[ ${url##*/} == "${standard##*/}" ]]; then
    expected=$(temurin_sum)
  else
    expected=$(curl -fsSL --retry 2 "$url.sha256.txt" | cut -d' ' -f1) || fail "the checksum of the JDK is not at $url.sha256.txt"
  fi
  curl -fsSL --retry 2 -o "$file" "$url" || {
    rm -f "$file"
    fail "the JDK could not be fetched from $url"
  }
  found=$(sha256sum "$file" | cut -d' ' -f1)
  if [[ $found != "$expected" ]]; then
    rm -f "$file"
    fail "the JDK of $url has the checksum $found, expected $expected: it was removed"
  fi
  rm -rf "$jdks/new" "$jdks/temurin"
  mkdir "$jdks/new"
  tar xzf "$file" -C "$jdks/new" --strip-components=1 --no-same-owner || fail "the JDK of $url could not be unpacked"
  rm "$file"
  mv "$jdks/new" "$jdks/temurin"
}
