package dev.rollcall.deploy.hooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls the hooks of other batch systems with the arguments and variables that their documentation
 * names, and an imitation of the command that they call. None of the batch systems runs here.
 */
class HooksByStandInTest {
  @TempDir Path folder = Path.of("unset");

  private record Ran(int status, String out, String err, String asked) {}

  /** One call of each hook that begins a job, 1234 of alice, or of uid 2001. */
  record Call(List<String> command, Map<String, String> environment) {}

  private static Stream<Call> beginnings() {
    return Stream.of(
        gridEngine("prolog", "0", "alice"),
        lsf("pre_exec", "0"),
        flux("prolog", "1233"),
        pbs("EXECJOB_BEGIN", "1234.server"));
  }

  private static Call gridEngine(String hook, String task, String... owner) {
    var command = new ArrayList<>(List.of("gridengine/" + hook, "1234", task));
    command.addAll(List.of(owner));
    return new Call(command, Map.of("JOB_ID", "1234", "USER", "alice", "SGE_ROOT", "/opt/sge"));
  }

  private static Call lsf(String hook, String index) {
    return new Call(
        List.of("lsf/" + hook),
        Map.of("LSB_JOBID", "1234", "LSB_JOBINDEX", index, "LSFUSER", "alice", "PATH", "/bin"));
  }

  private static Call flux(String hook, String id) {
    return new Call(
        List.of("flux/" + hook),
        Map.of(
            "FLUX_JOB_ID",
            id,
            "FLUX_JOB_USERID",
            "2001",
            "FLUX_OWNER_USERID",
            "990",
            "PATH",
            "/usr/sbin:/usr/bin:/sbin:/bin"));
  }

  private static Call pbs(String event, String id) {
    return new Call(
        List.of("pbs/rollcall.py"), Map.of("PBS_EVENT", event, "PBS_ID", id, "PBS_USER", "alice"));
  }

  @BeforeEach
  void layOutAsInstalled() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("hooks"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text =
            Files.readString(file)
                .replace("/opt/rollcall", folder.toString())
                .replace("/run/rollcall-hooks", folder.resolve("kept").toString());
        Path copy = folder.resolve("lib").resolve(file);
        Files.createDirectories(copy.getParent());
        Files.writeString(copy, text);
        Files.setPosixFilePermissions(copy, Files.getPosixFilePermissions(file));
      }
    }
    // Accepting an event ends PBS's hook at once.
    Files.writeString(
        folder.resolve("pbs.py"),
        """
        import os, sys
        EXECJOB_BEGIN, EXECJOB_END, EXECJOB_ABORT, LOG_WARNING = "EXECJOB_BEGIN", "EXECJOB_END", "EXECJOB_ABORT", 4
        class Job:
            id = os.environ["PBS_ID"]
            euser = os.environ["PBS_USER"]
        class Event:
            type = os.environ["PBS_EVENT"]
            job = Job
            def accept(self):
                sys.exit(0)
        def event():
            return Event()
        def logmsg(level, text):
            sys.stderr.write(text + "\\n")
        """);
    answer("exit 0");
  }

  @ParameterizedTest
  @CsvSource({"0, 1234", "5, 3445496560", "17, 2716143220"})
  void gridEngineBeginsAndEndsTheSameJob(String task, String number) throws Exception {
    assertEquals(
        begunByGridEngine(number, "--user alice"), run(gridEngine("prolog", task, "alice")));
    assertEquals(ended(number, "--user alice"), run(gridEngine("epilog", task, "alice")));
  }

  @ParameterizedTest
  @CsvSource({"0, 1234", "5, 3445496560"})
  void lsfBeginsAndEndsTheSameJob(String index, String number) throws Exception {
    assertEquals(begun(number, "--user alice"), run(lsf("pre_exec", index)));
    assertEquals(ended(number, "--user alice"), run(lsf("post_exec", index)));
  }

  @ParameterizedTest
  @CsvSource({"1233, 1234", "4294967295, 1", "6115337007267840, 3658856926"})
  void fluxBeginsAndEndsTheSameJob(String id, String number) throws Exception {
    assertEquals(begun(number, "--uid 2001"), run(flux("prolog", id)));
    assertEquals(ended(number, "--uid 2001"), run(flux("epilog", id)));
  }

  @Test
  void fluxTranslatesTheFormThatItShows() throws Exception {
    Path bin = Files.createDirectories(folder.resolve("flux-bin"));
    script(bin.resolve("flux"), "[ \"$*\" = 'job id --to=dec f2CFHy' ] && echo 1233");
    Call call = flux("prolog", "f2CFHy");
    var environment = new HashMap<>(call.environment());
    environment.put("PATH", bin + ":/usr/bin:/bin");
    assertEquals(begun("1234", "--uid 2001"), run(new Call(call.command(), environment)));
  }

  @Test
  void anIdThatFluxDoesNotTranslateIsNotReported() throws Exception {
    Ran ran = run(flux("prolog", "f2CFHy"));
    assertEquals("", ran.asked());
    assertEquals("rollcall: 'f2CFHy' is not a job's id: nothing was reported (begin)\n", ran.err());
  }

  @ParameterizedTest
  @CsvSource({"1234.server, 1234", "1234[5].server.site, 3445496560", "1234[0].server, 3696498067"})
  void pbsBeginsAndEndsTheSameJob(String id, String number) throws Exception {
    boolean task = id.contains("[");
    String listed = id.replaceAll("\\..*", "");
    answer(
        "case \"$2 $ROLLCALL_BATCH_ID\" in 'begin %s' | 'end ') ;; *) exit 1 ;; esac"
            .formatted(task ? listed : ""));
    assertEquals(begun(number, "--user alice"), run(pbs("EXECJOB_BEGIN", id)));
    assertEquals(ended(number, "--user alice"), run(pbs("EXECJOB_END", id)));
    assertEquals(ended(number, "--user alice"), run(pbs("EXECJOB_ABORT", id)));
  }

  /** A status other than 0 would requeue the job, or take the queue or the node away. */
  @ParameterizedTest
  @MethodSource("beginnings")
  void anAgentThatIsAwayCostsALineOfTheLog(Call begins) throws Exception {
    answer("echo 'rollcall: no agent answers' >&2; exit 5");
    Ran ran = run(begins);
    assertEquals(0, ran.status());
    assertEquals("", ran.out());
    assertTrue(
        ran.err().contains("was not reported to the agent (status 5): rollcall: no agent"),
        ran.err());
  }

  @ParameterizedTest
  @MethodSource("beginnings")
  void aUserWhoDoesNotExistIsNamed(Call begins) throws Exception {
    answer("echo \"rollcall: no user is called $4\" >&2; exit 4");
    Ran ran = run(begins);
    assertEquals(0, ran.status());
    assertTrue(ran.err().contains("(status 4): rollcall: no user is called "), ran.err());
  }

  @Test
  void aCommandThatHangsIsStopped() throws Exception {
    answer("exec sleep 600");
    Ran ran = run(gridEngine("prolog", "0", "alice"));
    assertEquals(0, ran.status());
    assertTrue(ran.err().contains("did not end within"), ran.err());
  }

  @Test
  void aJobThatTheAgentDoesNotKnowEndsWithoutAWord() throws Exception {
    answer("exit 4");
    assertEquals(ended("1234", "--user alice"), run(gridEngine("epilog", "0", "alice")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gridengine/prolog", "lsf/pre_exec", "flux/prolog", "flux/epilog"})
  void outsideOfTheBatchSystemNothingIsAsked(String hook) throws Exception {
    Ran ran = run(new Call(List.of(hook), Map.of("PATH", "/usr/bin:/bin")));
    assertEquals(0, ran.status());
    assertEquals("", ran.asked());
    assertTrue(ran.err().startsWith("rollcall: '' is not a job's id"), ran.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"prolog", "epilog"})
  void aJobWithoutAnOwnerIsNotReported(String hook) throws Exception {
    Ran ran = run(gridEngine(hook, "0"));
    assertEquals("", ran.asked());
    assertTrue(ran.err().contains("job 1234 has no owner"), ran.err());
  }

  private Ran gridEngine(String hook, String job, String task, String owner) throws Exception {
    return run(new Call(List.of("gridengine/" + hook, job, task, owner), Map.of()));
  }

  private List<String> kept() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("kept"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** By job * 10007 + index both would be 2157500656, and users choose the index. */
  @Test
  void noUserCalculatesTheNumberOfAnothersTask() throws Exception {
    assertEquals(
        begunByGridEngine("2537538118", "--user bob"), gridEngine("prolog", "1001", "1", "bob"));
    assertEquals(
        begunByGridEngine("3323576173", "--user alice"),
        gridEngine("prolog", "1000", "10008", "alice"));
    assertEquals(
        ended("3323576173", "--user alice"), gridEngine("epilog", "1000", "10008", "alice"));
    assertEquals(List.of("2537538118"), kept());
    assertEquals(ended("2537538118", "--user bob"), gridEngine("epilog", "1001", "1", "bob"));
    assertEquals(List.of(), kept());
  }

  /** Both would have 3400471590. */
  @Test
  void twoTasksThatAreUnderWayHaveTwoNumbers() throws Exception {
    assertEquals(
        begunByGridEngine("3400471590", "--user bob"), gridEngine("prolog", "1001", "2573", "bob"));
    for (int time = 0; time < 2; time++) {
      assertEquals(
          begunByGridEngine("3802549483", "--user alice"),
          gridEngine("prolog", "1002", "12546", "alice"));
    }
    assertEquals(
        ended("3802549483", "--user alice"), gridEngine("epilog", "1002", "12546", "alice"));
    assertEquals(ended("3400471590", "--user bob"), gridEngine("epilog", "1001", "2573", "bob"));
    assertEquals(List.of(), kept());
  }

  /** The agent refuses it, if the owner is another. */
  @Test
  void anEndWithoutABeginIsOfNoOthersNumber() throws Exception {
    gridEngine("prolog", "1001", "2573", "bob");
    assertEquals(ended("3802549483", "--user bob"), gridEngine("epilog", "1002", "12546", "bob"));
    assertEquals(List.of("3400471590"), kept());
    Ran plain = gridEngine("prolog", "3400471590", "0", "bob");
    assertEquals("", plain.asked());
    assertTrue(plain.err().contains("has no number of its own on this node"), plain.err());
    assertEquals("", gridEngine("epilog", "3400471590", "0", "bob").asked());
  }

  @Test
  void aNumberIsKeptUntilTheAgentHasTheEnd() throws Exception {
    gridEngine("prolog", "1001", "2573", "bob");
    answer("exit 5");
    gridEngine("epilog", "1001", "2573", "bob");
    assertEquals(List.of("3400471590"), kept());
    answer("echo \"rollcall: no user is named 'bob'\" >&2; exit 4");
    assertTrue(gridEngine("epilog", "1001", "2573", "bob").err().contains("(status 4)"));
    assertEquals(List.of("3400471590"), kept());
    answer("exit 0");
    gridEngine("epilog", "1001", "2573", "bob");
    assertEquals(List.of(), kept());
  }

  @Test
  void aFileOfAQuarterIsDropped() throws Exception {
    gridEngine("prolog", "1", "0", "bob");
    Path old = folder.resolve("kept/1");
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(92))));
    gridEngine("prolog", "2", "0", "bob");
    assertEquals(List.of("2"), kept());
    assertEquals(ended("1", "--user bob"), gridEngine("epilog", "1", "0", "bob"));
  }

  @Test
  void gridEnginesVariablesReachTheCommandAndNoOthers() throws Exception {
    Map<String, String> given =
        Map.of(
            "JOB_ID",
            "1234",
            "NSLOTS",
            "4",
            "PE_HOSTFILE",
            "/spool/pe_hostfile",
            "QUEUE",
            "all.q",
            "TMPDIR",
            "/tmp/1234.1.all.q",
            "CUDA_VISIBLE_DEVICES",
            "0,1");
    var environment = new HashMap<>(given);
    environment.putAll(Map.of("MINE", "1", "LD_LIBRARY_PATH", "/mine", "SGE_ROOT", "/opt/sge"));
    answer("env >" + folder.resolve("given"));
    run(new Call(List.of("gridengine/prolog", "1234", "0", "alice"), environment));
    Map<String, String> reached = new HashMap<>();
    for (String line : Files.readAllLines(folder.resolve("given"))) {
      reached.put(line.replaceFirst("=.*", ""), line.replaceFirst("[^=]*=", ""));
    }
    reached.keySet().removeAll(List.of("PATH", "PWD", "SHLVL", "_", "OLDPWD"));
    assertEquals(given, reached);
  }

  /** LSF and Grid Engine give a hook of root's the variables that the job's owner has chosen. */
  @ParameterizedTest
  @ValueSource(strings = {"gridengine/prolog", "lsf/pre_exec"})
  void theOwnersVariablesDoNotReachTheCommand(String hook) throws Exception {
    Path bin = Files.createDirectories(folder.resolve("owners"));
    for (String program : List.of("readlink", "dirname", "timeout", "env", "logger")) {
      script(bin.resolve(program), "touch " + folder.resolve("harm"));
    }
    answer("env | grep -q MINE && touch " + folder.resolve("harm"));
    Ran ran =
        run(
            new Call(
                List.of(hook, "1234", "0", "alice"),
                Map.of(
                    "LSB_JOBID", "1234", "LSFUSER", "alice", "PATH", bin.toString(), "MINE", "1")));
    assertTrue(ran.asked().endsWith(" 1234 --user alice\n"), ran.asked());
    assertTrue(Files.notExists(folder.resolve("harm")));
  }

  /** Bash is sh on RHEL and SUSE, and imports functions and options from its environment. */
  @ParameterizedTest
  @CsvSource({
    "gridengine/prolog, job begin --batch-environment 1234 --user alice",
    "gridengine/epilog, job end --wait 0 1234 --user alice",
    "lsf/pre_exec, job begin 1234 --user alice",
    "lsf/post_exec, job end --wait 0 1234 --user alice",
    "flux/prolog, job begin 1234 --uid 2001",
    "flux/epilog, job end --wait 0 1234 --uid 2001"
  })
  void theOwnersFunctionsAndOptionsDoNotReachAHookOfBash(String hook, String asks)
      throws Exception {
    Path sh = Files.createDirectories(folder.resolve("bash")).resolve("sh");
    Files.createSymbolicLink(sh, Path.of("/bin/bash"));
    try (Stream<Path> files = Files.walk(folder.resolve("lib/hooks"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.writeString(file, Files.readString(file).replaceFirst("^#!/bin/sh", "#!" + sh));
      }
    }
    Map<String, String> variables = new HashMap<>();
    for (String program : List.of("readlink", "dirname", "timeout", "env", "logger", "exec")) {
      variables.put(
          "BASH_FUNC_" + program + "%%",
          "() { : >" + folder.resolve("harm") + "; command " + program + " \"$@\"; }");
    }
    variables.putAll(Map.of("LSB_JOBID", "1234", "LSFUSER", "alice"));
    variables.putAll(Map.of("FLUX_JOB_ID", "1233", "FLUX_JOB_USERID", "2001"));
    for (String option : List.of("noglob", "noexec")) {
      variables.put("SHELLOPTS", option);
      assertEquals(
          new Ran(0, "", "", asks + "\n"),
          run(new Call(List.of(hook, "1234", "0", "alice"), variables)));
      assertTrue(Files.notExists(folder.resolve("harm")));
    }
  }

  private static Ran begunByGridEngine(String number, String owner) {
    return new Ran(0, "", "", "job begin --batch-environment " + number + " " + owner + "\n");
  }

  private static Ran begun(String number, String owner) {
    boolean isTask = Long.parseLong(number) >= 1L << 31 && owner.startsWith("--user");
    String ofATask = isTask ? "--batch-environment " : "";
    return new Ran(0, "", "", "job begin " + ofATask + number + " " + owner + "\n");
  }

  private static Ran ended(String number, String owner) {
    return new Ran(0, "", "", "job end --wait 0 " + number + " " + owner + "\n");
  }

  private void answer(String command) throws IOException {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    script(
        bin.resolve("rollcall"), "echo \"$*\" >" + folder.resolve("asked") + "\n" + command + "\n");
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Ran run(Call call) throws IOException, InterruptedException {
    Path asked = folder.resolve("asked");
    Files.deleteIfExists(asked);
    var command = new ArrayList<>(call.command());
    command.set(0, folder.resolve("lib/hooks").resolve(command.getFirst()).toString());
    if (command.getFirst().endsWith(".py")) {
      command.add(0, "python3");
    }
    var builder = new ProcessBuilder(command);
    if (!command.getFirst().equals("python3")) {
      builder.environment().clear();
    }
    builder.environment().put("PYTHONPATH", folder.toString());
    builder.environment().putAll(call.environment());
    Process process =
        builder
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile())
            .start();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS), call + " hangs");
    return new Ran(
        process.exitValue(), text(folder.resolve("out")), text(folder.resolve("err")), text(asked));
  }

  private static String text(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file, UTF_8) : "";
  }
}
