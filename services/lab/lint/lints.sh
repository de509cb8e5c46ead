# shellcheck shell=bash
# shellcheck disable=SC2154 # what `rollcall` and tiers.sh have set
# Checks of the sources that are no tests in Java: the first part of the tier "unit". tiers.sh reads this. Each step says nothing where it holds.
# The tools from npm are those of package-lock.json, installed below target without their scripts. Others are the system's; of two versions of clang's the one of
# Debian 12 is taken, which formats this code as version 19 does.
lint=$root/services/lab/lint
lint_tools=$root/services/lab/target/lint

# A tool of clang.
clang_tool() { command -v "$1-14" || command -v "$1" || { echo "$1 is missing" >&2 && return 1; }; }

# The sources below some folders of the tree by name, without what was built.
sources() {
  local folders=() names=() name
  while [[ $1 != -- ]]; do folders+=("$root/$1") && shift; done
  shift
  for name in "$@"; do names+=(-o -name "$name"); done
  find "${folders[@]}" -name target -prune -o -type f \( "${names[@]:1}" \) -print
}

npm_tools() {
  cmp -s "$lint/package-lock.json" "$lint_tools/installed.json" && return
  command -v npm >/dev/null || { echo "npm is missing" && return 1; }
  mkdir -p "$lint_tools"
  cp "$lint/package.json" "$lint/package-lock.json" "$lint_tools"
  (cd "$lint_tools" && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error) || return
  cp "$lint/package-lock.json" "$lint_tools/installed.json"
}

lint_c_format() {
  local tool files
  tool=$(clang_tool clang-format) || return
  mapfile -t files < <(sources services load-tests -- '*.c' '*.h')
  "$tool" --dry-run --Werror "${files[@]}" && ! grep -nE '^.{121}' "${files[@]}"
}

# Those of the PAM module first: the other programs share some. Clang's analyzer takes a minute: `./rollcall lint` and the full counts have it.
lint_c_tidy() {
  local tool module status=0 running=() checks=()
  local services=$root/services
  tool=$(clang_tool clang-tidy) || return
  [[ ${counts:-full} == full ]] || checks=('--checks=-clang-analyzer-*')
  make -s -C "$services/pam" generated || return
  for module in pam container brief; do
    "$tool" --quiet "${checks[@]}" "$services/$module"/src/*.c -- -std=gnu11 -D_GNU_SOURCE '-DROLLCALL_VERSION="lint"' "-I$services/$module/src" "-I$services/pam/src" \
      "-I$services/pam/target/generated" -isystem /usr/include/nanopb 2>"$tests/unit.lint-c-tidy-$module.stderr" &
    running+=($!)
  done
  for module in "${running[@]}"; do wait "$module" || status=1; done
  return "$status"
}

# Whatever begins as a script of sh or bash does, or is named so.
lint_shell() {
  local files
  command -v shellcheck >/dev/null || { echo "shellcheck is missing" && return 1; }
  mapfile -t files < <(
    cd "$root" && {
      find . -name target -prune -o -type f -name '*.sh' -print
      grep -rlIE '^#!/(usr/)?bin/(env )?(ba|da)?sh' --exclude-dir=target --exclude-dir=.git --exclude='*.java' --exclude='*.md' .
    } | sort -u
  )
  (cd "$root" && shellcheck "${files[@]}")
}

# Test methods in camelCase.
lint_test_names() {
  local folders
  mapfile -t folders < <(find "$root" -path '*/src/test/java' -not -path '*/target/*')
  ! grep -rnE --include='*Test.java' --include='*Contract.java' '^ *(public |protected |static |final )*void [a-z][A-Za-z0-9]*_[A-Za-z0-9_]*\(' "${folders[@]}"
}

console=gateway/src/main/resources/dev/rollcall/gateway/console/js

lint_types() { npm_tools && "$lint_tools/node_modules/.bin/tsc" -p "$lint/tsconfig.json"; }

# The configuration is read where its imports are found.
lint_js() {
  npm_tools && cp "$lint/eslint.config.mjs" "$lint_tools" &&
    (cd "$root" && "$lint_tools/node_modules/.bin/eslint" --max-warnings=0 -c "$lint_tools/eslint.config.mjs" "$console")
}

# What the protos import is in a jar of Maven's.
buf() {
  local jar
  npm_tools || return
  [[ -e $root/proto/target/test.classpath ]] ||
    (cd "$root" && ./mvnw -q -B -ntp -pl proto -Dmdep.outputFile=target/test.classpath dependency:build-classpath </dev/null) || return
  jar=$(tr ':' '\n' <"$root/proto/target/test.classpath" | grep -m1 '/proto-google-common-protos-') || { echo "no jar has google/api" && return 1; }
  unzip -q -o "$jar" google/api/annotations.proto google/api/http.proto -d "$root/proto/target/google" || return
  (cd "$root/proto" && "$lint_tools/node_modules/.bin/buf" "$@")
}

lint_proto() { buf lint src/main/proto; }

lint_api() {
  buf breaking src/main/proto --against api.binpb --exclude-imports ||
    { echo "Clients of the API that is in proto/api.binpb would break. If that is meant: ./rollcall api" && return 1; }
}

# The API as it is now becomes the one that must not break.
renew_api() {
  install_missing "${build_packages[@]}" "${lint_packages[@]}"
  buf build src/main/proto --exclude-source-info -o api.binpb
}

# Error Prone and NullAway over the sources of the product, by one javac: by Maven, module by module, they take twice the time. Those of tests, lab and benchmarks
# have them with the full counts, by Maven. The arguments are those of pom.xml. No class is written, and with much room for new objects few are copied.
lint_error_prone() {
  local jars=$root/services/lab/target/error-prone.classpath options=() arguments classes files module path
  (cd "$root" && ./mvnw -q -B -ntp -f services/lab/lint/error-prone.xml "-Dmdep.outputFile=$jars" dependency:build-classpath </dev/null) || return
  mapfile -t options < <(sed -n -e 's/^--/-J--/p' -e 's/^-XX/-J-XX/p' "$root/.mvn/jvm.config")
  arguments=$(sed -n 's|.*<error.prone>\(.*\)</error.prone>.*|\1|p' "$root/pom.xml")
  classes=$(for module in $(all_modules); do echo "$root/$module/target/classes" && tr ':' '\n' <"$root/$module/target/test.classpath" && echo; done |
    grep -E '(\.jar|/classes)$' | sort -u | while read -r path; do [[ ! -e $path ]] || echo "$path"; done | paste -sd:)
  # A package of which two modules have a part is described twice.
  mapfile -t files < <(find "$root"/{gateway,services/*}/src/main/java -name '*.java' | awk -F /src/main/java/ '
    !/\/services\/(lab|testkit|fuzz)\// && (!/package-info/ || !seen[$2]++)')
  rm -rf "$tests/error-prone" && mkdir -p "$tests/error-prone"
  "$JAVA_HOME/bin/javac" "${options[@]}" -J-Xmx2g -J-Xms1200m -J-Xmn800m -proc:none -processorpath "$(<"$jars")" "$arguments" --release 25 -Xlint:all,-classfile,-processing -Werror \
    -XDcompilePolicy=simple --should-stop=ifError=FLOW --should-stop=ifNoError=FLOW -d "$tests/error-prone" -cp "$classes" "${files[@]}"
}

# lint STEP MODULE...: skipped where only other modules are tested.
lint() {
  local step=$1 module touched=${only_modules:+no} status=0 began=$SECONDS log=$tests/unit.lint-$1.log
  shift
  for module in "$@"; do
    [[ " ${only_modules:-} " != *" $module "* ]] || touched=
  done
  [[ -z $touched ]] || return 0
  "lint_${step//-/_}" >"$log" 2>&1 || status=1
  printf '%-8s %-20s %s, %d s\n' unit "lint $step" "$( ((status == 0)) && echo holds || echo FAILED)" $((SECONDS - began))
  ((status == 0)) || head -n 40 "$log"
  return "$status"
}

# Those that need nothing of the build but the generated C: they run beside it, since it leaves a core idle at times.
lint_sources() {
  local status=0
  lint c-format services/pam services/container services/brief services/lab load-tests || status=1
  lint c-tidy services/pam services/container services/brief || status=1
  # shellcheck disable=SC2086
  lint shell ${only_modules:-} || status=1
  # shellcheck disable=SC2086
  lint test-names ${only_modules:-} || status=1
  lint types gateway || status=1
  lint js gateway || status=1
  return "$status"
}

# Those that take a jar from Maven's repository.
lint_protos() {
  local status=0
  lint proto proto || status=1
  lint api proto || status=1
  return "$status"
}

lint_product() {
  local modules
  mapfile -t modules < <(all_modules)
  lint error-prone "${modules[@]}"
}

# Without the tests. Error Prone needs the classes of a build of the tests.
lint_alone() {
  local status=0
  install_missing "${build_packages[@]}" "${lint_packages[@]}"
  mkdir -p "$tests"
  lint_sources || status=1
  lint_protos || status=1
  if [[ -e $root/deploy/target/test.classpath ]]; then
    lint_product || status=1
  else
    say "error-prone did not run: it needs a tree that \`./rollcall test\` has built"
  fi
  return "$status"
}
