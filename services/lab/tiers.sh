# shellcheck shell=bash
# shellcheck disable=SC2154 # what `rollcall` has set
# The tests by tiers; `rollcall` at the root reads this for `./rollcall test`. CONTRIBUTING.md has the table of tiers.
# Each module's tests of a tier run in one JVM. Its output is in target/tests/TIER.MODULE.log of this folder, and JUnit's report below target/tests/TIER.
tiers=(unit root cluster machine)
tests=$root/services/lab/target/tests
. "$root/services/lab/lint/lints.sh"

# A JUnit tag expression for each tier: no test is in two, and none in none but those of the full counts. `--slurm` has the part of the tier of clusters
# that needs a real Slurm.
tags_of() {
  case $1 in
    unit) echo '!root & !cluster & !slurm & !vm & !browser & !machine' ;;
    root) echo 'root & !emulated & !cluster & !slurm & !vm & !browser & !machine' ;;
    cluster) echo '(cluster | slurm) & !machine' ;;
    machine) echo 'vm | browser | machine' ;;
    slurm) echo 'slurm & !machine' ;;
  esac
}

all_modules() { sed -n 's|.*<module>\(.*\)</module>.*|\1|p' "$root/pom.xml"; }

# The modules that have tests of a tier: a JVM without a test costs seconds. A tag that is indented further is in a text of a test.
modules_of() {
  local module words left_out='no tag'
  case $1 in
    unit) words=. ;;
    root) words='^ \{0,2\}@Tag("root")' ;;
    cluster) words='^ \{0,2\}@Tag("\(cluster\|slurm\)")' ;;
    machine) words='^ \{0,2\}@Tag("\(vm\|browser\|machine\)")' ;;
    slurm) words='^ \{0,2\}@Tag("slurm")' ;;
  esac
  [[ $counts == full ]] || left_out='^@Tag("full")'
  for module in $(all_modules); do
    [[ -d $root/$module/src/test/java ]] || continue
    # It also ends with 1 where there is none.
    [[ -z $(grep -rlZ --include='*.java' "$words" "$root/$module/src/test/java" | xargs -0r grep -L "$left_out" || true) ]] || echo "$module"
  done
}

# The parts of a module's tests that run in JVMs of their own: tests that mostly wait for the kernel or for daemons run in several. Those of containers find
# processes by their names, so they are one part. Those with a real Slurm share its clusters, so they are another. Those that need an emulated machine are another,
# and so are those that wait for a periodic check of an agent, on a cluster of their own.
# Many of a gateway's wait for deadlines: two parts.
parts_of() {
  case $1.$2 in
    root.services/jobs) echo container slurm others ;;
    cluster.services/lab) echo other slurm waiting ;;
    machine.services/lab) echo emulated rest ;;
    unit.gateway) echo 1 2 ;;
    *) echo 1 ;;
  esac
}

# A pattern for the names of the test classes in a part of N of a module: each class is in one part.
classes_of() {
  local keep
  case $2 in
    slurm) keep='/[/]slurm[/]/' ;;
    container) keep='/[/]container[/]/' ;;
    others) keep='!/[/](slurm|container)[/]/' ;;
    waiting) keep='/(AuditOnly|OutsideProcesses)ClusterTest[.]java$/' ;;
    other) keep='!/[/]slurm[/]|(AuditOnly|OutsideProcesses)ClusterTest[.]java$/' ;;
    emulated) keep='/(Vm|Machine)Test[.]java$/' ;;
    rest) keep='!/(Vm|Machine)Test[.]java$/' ;;
    *) keep="NR % $3 == $2 % $3" ;;
  esac
  find "$root/$1/src/test/java" -name '*Test.java' -printf '%s %P\n' | sort -rn | awk "$keep"' {
      name = $2; sub(/\.java$/, "", name); gsub("/", "[.]", name); names = names (names == "" ? "" : "|") name
    }
    END { print "^(" names ")([$].*)?$" }'
}

# A key in a PKCS12 store in memory, as Vert.x keeps one for each client of a test, is encrypted by 10,000 rounds of a hash unless these say less.
key_stores=(-Dkeystore.pkcs12.{keyPbe,certPbe,mac}IterationCount=1)

# As shipped: an event loop that has tasks looks at its connections ten times a second.
turns=-Dio.netty.eventLoop.maxTaskProcessingQuantumMs=100

# junit TIER MODULE REPORTS SELECTOR...: a JVM with a module's tests of a tier.
junit() {
  local tier=$1 module=$2 reports=$3 full=(--exclude-tag=full)
  shift 3
  [[ $counts == default ]] || full=()
  cd "$root/$module" || exit
  exec timeout --kill-after=30 "$module_seconds" "$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -XX:+EnableDynamicAgentLoading \
    -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx512m "-Drollcall.counts=$counts" "$turns" "${key_stores[@]}" "-Drollcall.home=$root" "-Drollcall.aot_caches=$root/services/lab/target/aot" "${words[@]}" \
    -cp "target/test-classes:target/classes:$(<target/test.classpath):$(<"$root/services/testkit/target/test.classpath")" \
    org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors --details=testfeed "--include-tag=$(tags_of "$tier")" "${full[@]}" \
    "--reports-dir=$reports" "$@"
}

# run_module TIER MODULE PART PARTS: a line to standard output; what failed goes with it. Classes that failed, if they are few, wait in a file for a second try.
run_module() {
  local tier=$1 module=$2 part=$3 parts=$4 status=0 began=$SECONDS name reports counted failed=()
  name=$tier.${module//\//-}
  ((parts == 1)) || name+=.$part
  reports=$tests/$tier/$module/$part
  (junit "$tier" "$module" "$reports" --scan-classpath=target/test-classes "--include-classname=$(classes_of "$module" "$part" "$parts")") \
    >"$tests/$name.log" 2>&1 </dev/null || status=$?
  counted=$(count "$reports") || status=1
  echo "$counted" >"$tests/$name.counted"
  times >"$tests/$name.times"
  echo "$began $SECONDS" >"$tests/$name.span"
  printf '%-8s %-20s %s, %d s, %d s of CPU\n' "$tier" "$module" "$counted" $((SECONDS - began)) "$(cpu_seconds "$tests/$name.times")"
  ((status != 0)) || return 0
  grep -A12 ':: FAILED$' "$tests/$name.log" || tail -n 30 "$tests/$name.log"
  mapfile -t failed < <(failed_classes "$reports")
  # A skipped test stays one.
  if [[ $counted == *" 0 skipped" ]] && ((${#failed[@]} > 0 && ${#failed[@]} <= 3)); then
    echo "$name $tier $module ${failed[*]}" >>"$tests/failed"
    return 0
  fi
  say "$tier of $module ended with $status: see $tests/$name.log"
  return "$status"
}

# Classes that failed run a second time, alone, when all others are over. Tests that hold then are counted as unsteady, and named. They are defects of their own;
# that the machine was busy does not make a change wrong.
try_again() {
  local name tier module classes goal status=0
  touch "$tests/failed" "$tests/failed-c"
  while read -r module goal; do
    make -C "$root/$module" --silent "$goal" </dev/null || status=1
  done <"$tests/failed-c"
  while read -r name tier module classes; do
    # shellcheck disable=SC2086
    if again "$name" "$tier" "$module" $classes; then
      sed -E -i 's/^([0-9]+) tests, .*/\1 tests, 0 failures, 0 errors, 0 skipped/' "$tests/$name.counted"
      printf "$tier $module %s\n" $classes >>"$tests/unsteady"
    else
      grep -A12 ':: FAILED$' "$tests/$name.again.log" || tail -n 30 "$tests/$name.again.log"
      say "$tier of $module failed twice: see $tests/$name.again.log"
      status=1
    fi
  done <"$tests/failed"
  return "$status"
}

# What bash's `times` wrote: the second line has the times of those waited for, as 1m2.3s.
cpu_seconds() {
  awk -F '[ms ]+' 'NR == 2 { printf "%d", $1 * 60 + $2 + $3 * 60 + $4 }' "$1"
}

# again NAME TIER MODULE CLASS...: whether all tests of these classes hold, and each class has some.
again() {
  local name=$1.again class classes=("${@:4}")
  (junit "$2" "$3" "$tests/$name" "${classes[@]/#/--select-class=}") >"$tests/$name.log" 2>&1 </dev/null && count "$tests/$name" >/dev/null || return 1
  for class in "${classes[@]}"; do
    grep -rqF " classname=\"$class\"" "$tests/$name" || return 1
  done
}

# The classes of failed tests, by the reports below a folder.
failed_classes() {
  find "$1" -name 'TEST-*.xml' -exec cat {} + | awk '
    /^<testcase / && match($0, / classname="[^"]*"/) { class = substr($0, RSTART + 12, RLENGTH - 13) }
    /^<(failure|error)[ >]/ { print class }' | sort -u
}

# Tests, failures, errors and skipped of the reports below a folder; fails when a test was skipped or failed.
count() {
  find "$1" -name 'TEST-*.xml' -exec grep -hm1 '<testsuite ' {} + | awk '
    function value(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) + 0 : 0 }
    { tests += value("tests"); errors += value("errors"); failures += value("failures"); skipped += value("skipped") }
    END { printf "%d tests, %d failures, %d errors, %d skipped", tests, failures, errors, skipped; exit failures + errors + skipped > 0 }'
}

# The same, of the modules counted so far whose names begin so: "unit." or "".
counted() {
  find "$tests" -maxdepth 1 -name "$1*.counted" -exec cat {} + | awk '
    { tests += $1; failures += $3; errors += $5; skipped += $7 }
    END { printf "%d tests, %d failures, %d errors, %d skipped", tests, failures, errors, skipped }'
}

# The tests in C, as part of the tier of root: gcc's and the sanitizers'.
run_c_tests() {
  local module=$1 name=root.c-${1##*/} goal=check-all status=0 began=$SECONDS
  [[ $module != */container ]] || goal=check
  make -C "$root/$module" --silent "$goal" >"$tests/$name.log" 2>&1 || status=1
  times >"$tests/$name.times"
  printf '%-8s %-20s %s, %d s, %d s of CPU\n' root "$module" "$(grep -h ' checks held' "$tests/$name.log" | paste -sd';')" $((SECONDS - began)) \
    "$(cpu_seconds "$tests/$name.times")"
  echo "$began $SECONDS" >"$tests/$name.span"
  ((status == 0)) || { tail -n 40 "$tests/$name.log" && echo "$module $goal" >>"$tests/failed-c"; }
}

# Those with most lines of tests begin.
longest_first() {
  local module
  while read -r module; do
    printf '%d %s\n' "$(find "$root/$module/src/test/java" -name '*.java' -exec cat {} + | wc -l)" "$module"
  done | sort -rn | cut -d' ' -f2
}

# The steps of a tier, a line each. Error Prone, which never waits, comes before modules that mostly do.
steps_of() {
  local tier=$1 module part parts
  [[ $tier != unit || $counts == full ]] || echo lint_product
  for module in $(modules_of "$tier" | longest_first); do
    [[ -z $only_modules || " $only_modules " == *" $module "* ]] || continue
    read -ra parts <<<"$(parts_of "$tier" "$module")"
    for part in "${parts[@]}"; do echo "run_module $tier $module $part ${#parts[@]}"; done
  done
  case $tier in
    root)
      for module in services/pam services/container services/brief; do
        [[ -n $only_modules && " $only_modules " != *" $module "* ]] || echo "run_c_tests $module"
      done
      ;;
    unit) echo lint_protos ;;
  esac
}

# next_of QUEUE: the number of the next step that nobody has taken. QUEUE is a file.
next_of() {
  local number
  {
    flock 9
    number=$(<"$1.next")
    echo $((number + 1)) >"$1.next"
  } 9>"$1"
  echo "$number"
}

# run_queue QUEUE STEP...: takes steps until none is left, also beside others that take them. What failed does not stop the rest.
run_queue() {
  local queue=$1 number status=0
  shift
  while number=$(next_of "$queue") && ((number <= $#)); do
    # shellcheck disable=SC2086
    in_background ${!number} || status=1
  done
  return "$status"
}

# run_clusters: the tests of clusters one after the other, then those of the emulated machine, with more of the queue beside them.
run_clusters() (
  status=0
  for step in "${clusters[@]}"; do ($step) || status=1; done
  run_queue "$queue" "${background[@]}" &
  run_queue "$queue" "${background[@]}" &
  for step in "${emulated[@]}"; do ($step) || status=1; done
  for job in $(jobs -p); do wait "$job" || status=1; done
  exit "$status"
)

# run_tiers TIER...: the tests of clusters and of the emulated machine have logins with deadlines. Beside them the others, which mostly wait, use what they
# leave. Those that take minutes begin first, so that none of them runs alone at the end.
run_tiers() {
  local tier step clusters=() long=() short=() emulated=() background queue=$tests/queue status=0 running=() job
  for tier in cluster slurm machine unit root; do
    [[ " $* " == *" $tier "* ]] || continue
    while read -r step; do
      case ${step#run_module } in
        *'/lab emulated '*) emulated+=("$step") ;;
        *' slurm '* | *' waiting '* | 'machine services/lab '* | 'machine gateway '* | *'/jobs others '* | 'root services/lab '* | 'unit gateway '* | 'unit services/wire '* | 'unit services/roll '* | 'unit services/agent '* | lint_product)
          long+=("$step")
          ;;
        'cluster '*) clusters+=("$step") ;;
        *) short+=("$step") ;;
      esac
    done < <(steps_of "$tier")
  done
  background=("${long[@]}" "${short[@]}")
  echo 1 >"$queue.next"
  run_clusters & running=($!)
  for ((job = 0; job < $(nproc) + 2; job++)); do
    run_queue "$queue" "${background[@]}" & running+=($!)
  done
  for job in "${running[@]}"; do wait "$job" || status=1; done
  return "$status"
}

# Whether each step that has begun a log has reached its end.
all_ended() {
  local log status=0
  for log in "$tests"/*.log; do
    [[ $log == */unit.lint-* || -e ${log%.log}.span ]] || { say "not ended: $log" && status=1; }
  done
  return "$status"
}

# With less weight than the tests beside it that are not. In a process of its own, whose CPU time is measured.
in_background() (
  renice -n 5 -p "$BASHPID" >/dev/null
  "$@"
)

# The modules with a change since BASE.
changed_modules() {
  local base=$1 module file files touched=()
  mapfile -t files < <(cd "$root" && { git diff --name-only "$base" && git ls-files --others --exclude-standard; })
  for module in $(all_modules); do
    for file in "${files[@]}"; do
      [[ $file != "$module"/* ]] || { touched+=("$module") && break; }
    done
  done
  echo "${touched[*]}"
}

# The files of the distribution.
laid_out() { (cd "$distribution" && find . -type f | sort); }

# First a user's build: what the launcher asks Maven for, from nothing but the classes of earlier builds. Then that of all modules and their tests, which uses its
# classes. A file that only the second adds would be missing in a clone that was never tested.
build_all() {
  local artifacts=$HOME/.m2/repository/dev/rollcall
  [[ ! -e $artifacts ]] || fail "a build would use $artifacts where a module is missing from it: remove that folder"
  find "$root"/{*,services/*}/target -maxdepth 1 -type f -not -name build.lock -delete
  build services/lab -ntp -T 2 '-P!without-checks' -Dspotless.check.skip -Dstrict=true "${checks[@]}"
  laid_out >"$tests/of-a-user"
  (cd "$root" && ./mvnw -q -B -ntp -T 2 verify -DskipTests -Dstrict=true -Dcyclonedx.skip "${checks[@]}" -Dmdep.outputFile=target/test.classpath dependency:build-classpath </dev/null) || return
  laid_out >"$tests/of-all-modules"
  diff "$tests/of-a-user" "$tests/of-all-modules" >"$tests/differences" || {
    say "the launcher's build lays out (<) other files than the build of all modules (>):"
    grep '^[<>]' "$tests/differences" >&2
    return 1
  }
}

# test [TIER...] [--slurm] [--full] [--changed [BASE]] [-- words for the tests' JVMs]
run_tests() {
  local chosen=() counts=default words=() checks=('-Derror.prone=-Xlint:all,-classfile,-processing') status=0 began_at=$SECONDS tier build_seconds only_modules='' module_seconds=3000 base lints=''
  while (($#)); do
    case $1 in
      unit | root | cluster | machine) chosen+=("$1") ;;
      --slurm) chosen+=(slurm) ;;
      --full) counts=full module_seconds=14400 checks=(-DcheckTests) ;;
      --changed)
        base=HEAD
        [[ -z ${2:-} || $2 == -* || " ${tiers[*]} " == *" $2 "* ]] || { base=$2 && shift; }
        only_modules=$(changed_modules "$base")
        [[ -n $only_modules ]] || { echo "rollcall test: no module is changed since $base" && exit 0; }
        ;;
      --) shift && words=("$@") && break ;;
      *) fail "test: '$1' is no tier (${tiers[*]}), --slurm, --full, --changed or --" ;;
    esac
    shift
  done
  ((${#chosen[@]})) || chosen=("${tiers[@]}")
  if [[ ${chosen[*]} == unit ]]; then
    install_missing "${build_packages[@]}" "${lint_packages[@]}"
  elif [[ ${chosen[*]} == slurm ]]; then
    ((EUID == 0)) || fail "the tests of Slurm use network namespaces and cgroups: run them as root"
    install_missing "${build_packages[@]}" "${demo_packages[@]}" "${slurm_packages[@]}" "${slurm_test_packages[@]}" "${bench_packages[@]}"
  else
    ((EUID == 0)) || fail "the tests raise network namespaces and cgroups: run them as root. Without root: ./rollcall test unit"
    install_missing "${build_packages[@]}" "${package_packages[@]}" "${repository_packages[@]}" "${demo_packages[@]}" "${slurm_packages[@]}" "${test_packages[@]}" "${image_packages[@]}" "${bench_packages[@]}" "${vm_packages[@]}" "${lint_packages[@]}"
    [[ $counts != full || $(dpkg --print-architecture) == arm64 ]] || install_missing "${cross_packages[@]}" "${cross_test_packages[@]}"
  fi
  rm -rf "$tests" && mkdir -p "$tests"
  if [[ " ${chosen[*]} " == *" unit "* ]]; then
    make -s -C "$root/services/pam" generated || fail "the C of services/pam could not be generated"
    lint_sources & lints=$!
  fi
  build_all || { wait && fail "the build failed"; }
  build_seconds=$((SECONDS - began_at))
  echo "build    $build_seconds s"
  [[ -z $lints ]] || wait "$lints" || status=1
  run_tiers "${chosen[@]}" || status=1
  all_ended || status=1
  try_again || status=1
  ended "$status" "$build_seconds" $((SECONDS - began_at)) "${chosen[@]}"
  exit "$status"
}

# From the first step of a tier to the last.
tier_seconds() {
  find "$tests" -maxdepth 1 -name "$1.*.span" -exec cat {} + | awk 'NR == 1 { from = $1 } { from = $1 < from ? $1 : from; to = $2 > to ? $2 : to } END { print to - from }'
}

tier_cpu_seconds() {
  local file sum=0
  for file in "$tests/$1".*.times; do
    [[ ! -e $file ]] || sum=$((sum + $(cpu_seconds "$file")))
  done
  echo "$sum"
}

# The table of what was run, and a last line.
ended() {
  local status=$1 build=$2 all=$3 tier
  shift 3
  grep -ho '\[counts\].*' "$tests"/*.log | sort -u || true
  [[ ! -e $tests/unsteady ]] || sed 's/^/[unsteady] failed at first, held alone: /' "$tests/unsteady"
  printf '\n%-8s %4d s\n' build "$build"
  for tier; do
    printf '%-8s %4d s, %4d s of CPU  %s\n' "$tier" "$(tier_seconds "$tier")" "$(tier_cpu_seconds "$tier")" "$(counted "$tier.")"
  done
  echo "rollcall test: $( ((status == 0)) && echo passed || echo FAILED): $(counted ""), $all s, counts: $counts"
}
