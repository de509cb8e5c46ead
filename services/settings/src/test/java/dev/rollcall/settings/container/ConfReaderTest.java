package dev.rollcall.settings.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.settings.container.PrivateDirectory.Disk;
import dev.rollcall.settings.container.PrivateDirectory.Tmpfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfReaderTest {
  @TempDir Path directory;

  private Written file(String text) throws IOException {
    return new Written(directory.resolve("job_container.conf")).as(text);
  }

  private Written b(String line) throws IOException {
    return file("BasePath=/b\n" + line + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing\n\n", "Dirs=/tmp\nShared=yes\n", "BasePath=None\n"})
  void withoutABasePathJobsGetNothing(String text) throws IOException {
    assertEquals(Optional.empty(), file(text).on("n1").basePath());
  }

  @Test
  void theDefaultsAreSlurms() throws IOException {
    JobContainer container = file("BasePath=/var/jobs\n").on("n1");
    assertEquals(
        new JobContainer(
            Optional.of(Path.of("/var/jobs")),
            false,
            List.of(
                new PrivateDirectory(
                    new JobPathPattern("/tmp"), new Disk(Optional.empty()), Set.of()),
                new PrivateDirectory(new JobPathPattern("/dev/shm"), new Tmpfs(""), Set.of())),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false,
            Set.of(Namespace.MOUNT),
            Optional.empty(),
            false,
            List.of(),
            List.of(),
            false,
            Optional.empty()),
        container);
    assertEquals(
        Set.of(MountOption.NOSUID, MountOption.NODEV), container.directories().getLast().flags());
  }

  @Test
  void everyKeyIsReadInAnyCase() throws IOException {
    JobContainer container =
        file("""
        # for all
        AUTOBASEPATH=yes   CloneNSScript_Wait=20
        nodename=node[01-18,20] basepath="/nvme/%h/%n/" \\
          Dirs=/tmp,/var/tmp,/dev/shm InitScript=/etc/init.sh \\
          CloneNSScript=/etc/clone.sh CloneNSEpilog=/etc/end.sh CloneNSEpilog_Wait=0 \\
          Shared=TRUE EntireStepInNS=1
        """)
            .on("node20");
    assertEquals(Optional.of(Path.of("/nvme/node20.example/node20")), container.basePath());
    assertTrue(container.autoBasePath() && container.shared());
    assertEquals(List.of("/tmp", "/var/tmp", "/dev/shm"), Written.paths(container));
    assertEquals(
        List.of(script("/etc/init.sh", 10), script("/etc/clone.sh", 20), script("/etc/end.sh", 0)),
        List.of(container.initScript(), container.cloneScript(), container.cloneEpilog()));
  }

  private static Optional<Script> script(String path, long seconds) {
    return Optional.of(new Script(Path.of(path), Duration.ofSeconds(seconds)));
  }

  @Test
  void ofTheLinesForANodeTheLastGoesBeforeFieldByField() throws IOException {
    Written file =
        file(
            """
            NodeName=n[1-9] BasePath=/a Dirs=/tmp,/a1 Shared=yes
            BasePath=/b InitScript=/init
            NodeName=n[3-4] BasePath=/c Dirs=/tmp
            NodeName=n4 BasePath=none
            Dirs=/x
            AutoBasePath=yes
            """);
    assertEquals("/b [/tmp, /a1] true true", shown(file.on("n1")));
    assertEquals("/c [/tmp] true true", shown(file.on("n3")));
    assertEquals("- [/tmp] true true", shown(file.on("n4")));
    assertEquals("/b [/x] false true", shown(file.on("m1")));
    assertEquals(Optional.of(Path.of("/init")), file.on("n3").initScript().map(Script::path));
  }

  private static String shown(JobContainer one) {
    return one.basePath().map(Path::toString).orElse("-")
        + " "
        + Written.paths(one)
        + " "
        + one.shared()
        + " "
        + one.autoBasePath();
  }

  @Test
  void whatIsForAllMayStandAfterTheNodesAndNeverGoesBeforeThem() throws IOException {
    Written file = file("NodeName=n1 BasePath=/b Shared=no\nNodeName=n2 BasePath=/b\nShared=yes\n");
    assertFalse(file.on("n1").shared());
    assertTrue(file.on("n2").shared());
  }

  @Test
  void aKeyBeforeBasePathOnItsLineIsForAll() throws IOException {
    Written file = file("AutoBasePath=true BasePath=/b Dirs=/x\nNodeName=n1 BasePath=/c\n");
    assertTrue(file.on("n1").autoBasePath());
    assertEquals(List.of("/x"), Written.paths(file.on("n1")));
    assertEquals(List.of(), file.notes());
  }

  @Test
  void whatHasNoEffectIsNoted() throws IOException {
    assertEquals(
        List.of(
            "job_container.conf line 1: Shared: is for all nodes, as it comes before NodeName on"
                + " its line",
            "job_container.conf line 2: CloneNSScript: does not run: it has to come after NodeName"
                + " or BasePath",
            "job_container.conf line 3: CloneNSEpilog: does not run: it has to come after NodeName"
                + " or BasePath",
            "job_container.conf line 4: EntireStepInNS: has no effect: a step is inside of its"
                + " namespace as a whole",
            "job_container.conf line 5: EntireStepInNS: has no effect: a step is inside of its"
                + " namespace as a whole"),
        file("""
        Shared=yes NodeName=n1 BasePath=/b
        CloneNSScript=/x
        CloneNSEpilog=/y
        EntireStepInNS=no
        NodeName=n2 BasePath=/b EntireStepInNS=yes
        """)
            .notes());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          BasePth=/b                      | unknown key 'BasePth' (/b); the nearest is BasePath
          NodeNames=n1                    | unknown key 'NodeNames' (n1); the nearest is NodeName
          CloneNSFlags=CLONE_NEWPID       | unknown key 'CloneNSFlags' (CLONE_NEWPID); the nearest is CloneNSEpilog
          Dirs                            | expected Key=Value, not 'Dirs'
          Dirs=                           | Dirs: a path is missing
          Dirs=/tmp oops                  | expected Key=Value, not 'oops'
          Include none.conf               | include none.conf: there is no such file
          Shared=maybe                    | Shared: 'maybe' is neither yes nor no
          AutoBasePath=on                 | AutoBasePath: 'on' is neither yes nor no
          EntireStepInNS=2                | EntireStepInNS: '2' is neither yes nor no
          BasePath=tmp                    | BasePath: 'tmp' is not an absolute path
          BasePath=nonesuch               | BasePath: 'nonesuch' is not an absolute path
          BasePath=""                     | BasePath: a path is missing
          BasePath=/a/../b                | BasePath: '/a/../b' has '..' in it
          BasePath=/a/./b                 | BasePath: '/a/./b' has '.' in it
          BasePath=/a/%j                  | BasePath: '/a/%j': '%j' is not a variable here; there are %h, %n
          BasePath=/a/%                   | BasePath: '/a/%': '%' is not a variable here; there are %h, %n
          BasePath=/a^A/b                 | BasePath: the path has a control character
          BasePath=/tmp                   | BasePath: '/tmp' is the private directory '/tmp' (the defaults)
          BasePath=/tmp/jobs              | BasePath: '/tmp/jobs' is inside of the private directory '/tmp' (the defaults)
          BasePath=/dev                   | BasePath: '/dev' is around the private directory '/dev/shm' (the defaults)
          BasePath=/b NodeName=n1         | NodeName: 'n1' has to come before the keys for these nodes
          NodeName=n1 NodeName=n2         | NodeName: 'n2' has to come before the keys for these nodes
          NodeName=n1 Shared=yes          | NodeName: 'n1' has no BasePath
          NodeName=n[1-3 BasePath=/b      | NodeName: 'n[1-3' has a '[' without its ']'
          NodeName=n[1-70000] BasePath=/b | NodeName: 'n[1-70000]' has more than 65536 names
          InitScript=/init                | InitScript: '/init' has to come after NodeName or BasePath on a line
          BasePath=/b InitScript=init     | InitScript: 'init' is not an absolute path
          BasePath=/b CloneNSScript=x     | CloneNSScript: 'x' is not an absolute path
          BasePath=/b CloneNSEpilog=../x  | CloneNSEpilog: '../x' is not an absolute path
          CloneNSScript_Wait=-1           | CloneNSScript_Wait: '-1' is not a number of seconds from 0 to 86400
          CloneNSScript_Wait=10s          | CloneNSScript_Wait: '10s' is not a number of seconds from 0 to 86400
          CloneNSEpilog_Wait=86401        | CloneNSEpilog_Wait: '86401' is not a number of seconds from 0 to 86400
          Dirs=tmp                        | Dirs: 'tmp' is not an absolute path
          Dirs=/tmp,                      | Dirs: a path is missing
          Dirs="/tmp, /var/tmp"           | Dirs: ' /var/tmp' is not an absolute path
          Dirs=/tmp,/x,/tmp/              | Dirs: '/tmp' is given twice
          Dirs=/tmp/../etc                | Dirs: '/tmp/../etc' has '..' in it
          Dirs=/scratch/%u                | Dirs: '/scratch/%u': '%u' is not a variable here; there are none
          Dirs=/                          | Dirs: '/' cannot be private
          """)
  void whatCannotBeIsRefusedWithFileAndLine(String line, String problem) throws IOException {
    String text = line.replace("^A", "\u0001");
    String expected = problem.replace("include ", "include " + directory + "/");
    List<String> problems =
        file("# one\n" + text + "\n").problems().stream()
            .map(one -> one.replace(directory + "/none", "none"))
            .toList();
    assertEquals(
        List.of("job_container.conf line 2: " + expected.replace(directory + "/", "")), problems);
  }

  @Test
  void ofAKeyThatIsGivenTwiceTheLastOneHolds() throws IOException {
    var read = b("Shared=yes\nShared=no");
    assertEquals(
        List.of(
            "job_container.conf line 3: key 'Shared' is given twice, first at job_container.conf"
                + " line 2: the last one holds"),
        read.notes());
  }

  @Test
  void aBasePathAndDirectoriesOfOtherLinesAreComparedByWholeNames() throws IOException {
    assertEquals(
        List.of(
            "job_container.conf line 3: BasePath: '/scratch' is around the private directory"
                + " '/scratch/x' (job_container.conf line 1)"),
        file("""
        Dirs=/tmp,/scratch/x
        NodeName=n1 BasePath=/tmp2
        NodeName=n[2-3] BasePath=/scratch
        NodeName=n4 BasePath=/scratch Dirs=/tmp
        NodeName=n5 BasePath=/scratch/xy
        """)
            .problems());
  }

  @Test
  void allProblemsAreToldEachAtItsLine() throws IOException {
    Files.writeString(directory.resolve("more.conf"), "Shared=perhaps\n");
    assertEquals(
        List.of(
            "job_container.conf line 1: unknown key 'Dir' (/x); the nearest is Dirs",
            "job_container.conf line 2: CloneNSScript_Wait: 'x' is not a number of seconds from 0"
                + " to 86400",
            "job_container.conf line 4: NodeName: 'n[2-1]': '2-1' goes down",
            "job_container.conf line 5: Dirs: 'x' is not an absolute path",
            "more.conf line 1: Shared: 'perhaps' is neither yes nor no"),
        file("""
        Dir=/x
        CloneNSScript_Wait=x
        Include more.conf
        NodeName=n[2-1] \\
        BasePath=/b Dirs=x
        """)
            .problems());
  }

  @Test
  void otherMistakesDoNotHideThatPathsDoNotFit() throws IOException {
    assertEquals(
        List.of(
            "job_container.conf line 1: Shared: 'x' is neither yes nor no",
            "job_container.conf line 2: BasePath: '/tmp' is the private directory '/tmp' (the"
                + " defaults)"),
        file("Shared=x\nBasePath=/tmp\n").problems());
  }

  /** The right path of line 2 may well fit. */
  @Test
  void pathsAreNotComparedWithOnesThatWereLeftOut() throws IOException {
    assertEquals(
        List.of("job_container.conf line 2: Dirs: 'x' is not an absolute path"),
        file("Dirs=/a\nNodeName=n1 BasePath=/a Dirs=x\n").problems());
  }

  @Test
  void theNamesOfAllListsTogetherAreBounded() throws IOException {
    String line = "NodeName=n[1-65536] BasePath=/b\n";
    assertEquals(
        List.of("job_container.conf line 5: the file has more than 262144 names of nodes"),
        file(line.repeat(5)).problems());
    assertEquals("n[1-65536]", file(line.repeat(4)).good().sets().getFirst().nodes());
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertEquals(
        List.of("none.conf: there is no such file"),
        new Written(directory.resolve("none.conf")).problems());
  }
}
