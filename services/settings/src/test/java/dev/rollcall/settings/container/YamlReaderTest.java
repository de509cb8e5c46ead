package dev.rollcall.settings.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.settings.container.PrivateDirectory.Disk;
import dev.rollcall.settings.container.PrivateDirectory.Tmpfs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlReaderTest {
  @TempDir Path directory;

  private Written file(String text) throws IOException {
    return new Written(directory.resolve("namespace.yaml")).as(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "---\n",
        "defaults:\n",
        "node_confs:\n",
        "node_confs: []\n",
        "defaults: {dirs: /tmp}\n",
        "defaults: {base_path: NONE}\n"
      })
  void withoutABasePathJobsGetNothing(String text) throws IOException {
    assertEquals(Optional.empty(), file(text).on("n1").basePath());
  }

  @Test
  void everyKeyIsReadInAnyCase() throws IOException {
    JobContainer container =
        file("""
        ---
        Defaults:
          AUTO_BASE_PATH: on
          base_path: "/var/nvme/%n"
          clone_ns_flags: [CLONE_NEWPID, clone_newuser, CLONE_NEWNS, CLONE_NEWIPC]
          clone_ns_epilog: /etc/end.sh
          clone_ns_epilog_wait: 0
          clone_ns_script: /etc/clone.sh
          clone_ns_script_wait: 7
          init_script: /etc/init.sh
          user_ns_script: /etc/user.sh
          disable_bpf_token: "1"
          shared: y
          dirs: /tmp,/var/tmp
        """)
            .on("n7");
    assertEquals(Optional.of(Path.of("/var/nvme/n7")), container.basePath());
    assertTrue(container.autoBasePath() && container.shared() && container.disableBpfToken());
    assertEquals(
        Set.of(Namespace.MOUNT, Namespace.PID, Namespace.USER, Namespace.IPC),
        container.namespaces());
    assertEquals(
        List.of(
            script("/etc/init.sh", 10),
            script("/etc/clone.sh", 7),
            script("/etc/end.sh", 10),
            script("/etc/user.sh", 10)),
        List.of(
            container.initScript(),
            container.cloneScript(),
            container.cloneEpilog(),
            container.userNsScript()));
    assertEquals(List.of("/tmp", "/var/tmp"), Written.paths(container));
  }

  private static Optional<Script> script(String path, long seconds) {
    return Optional.of(new Script(Path.of(path), Duration.ofSeconds(seconds)));
  }

  @Test
  void everyNamespaceHasItsFlag() throws IOException {
    JobContainer container =
        file("""
        defaults:
          base_path: /b
          clone_ns_flags:
            - CLONE_NEWCGROUP, CLONE_NEWIPC
            - CLONE_NEWNET
            - CLONE_NEWPID
            - CLONE_NEWUSER
            - CLONE_NEWUTS
        disable_bpf_token: true
        """)
            .on("n1");
    assertEquals(Set.of(Namespace.values()), container.namespaces());
    assertTrue(container.disableBpfToken());
  }

  @Test
  void theFirstEntryForANodeGoesBeforeTheDefaultsFieldByField() throws IOException {
    Written file =
        file(
            """
            node_confs:
              - nodes: [n1, "n[3-4]"]
                options: {base_path: /c, shared: no}
              - nodes: n[1-9]
                options:
                  base_path: none
                  dirs: [/x, /dev/shm]
            defaults: {base_path: /b, shared: yes, dirs: "/tmp"}
            """);
    assertEquals("/c [/tmp] false", shown(file.on("n1")));
    assertEquals("- [/x, /dev/shm] true", shown(file.on("n2")));
    assertEquals("/c [/tmp] false", shown(file.on("n4")));
    assertEquals("/b [/tmp] true", shown(file.on("n10")));
  }

  private static String shown(JobContainer one) {
    return one.basePath().map(Path::toString).orElse("-")
        + " "
        + Written.paths(one)
        + " "
        + one.shared();
  }

  @Test
  void aDirectoryHasWhatIsItsOwn() throws IOException {
    JobContainer container =
        file("""
        defaults:
          base_path: /b
          dir_confs:
            - path: /tmp
              options: size=4g,noexec,mode=1777
              tmpfs: yes
            - {path: /scratch/%u/%j-%S, base_path: /nvme/%n, options: [noatime, "ro,relatime"]}
            - path: /dev/shm
            - path: /data/%h
              options: size=10g,nr_inodes=1m,mode=1777
        """)
            .on("n1");
    assertEquals(
        List.of(
            directory(
                "/tmp",
                new Tmpfs("size=4g,mode=1777"),
                MountOption.NOEXEC,
                MountOption.NOSUID,
                MountOption.NODEV),
            directory(
                "/scratch/%u/%j-%S",
                new Disk(Optional.of(Path.of("/nvme/n1"))),
                MountOption.NOATIME,
                MountOption.RO,
                MountOption.RELATIME),
            directory("/dev/shm", new Tmpfs(""), MountOption.NOSUID, MountOption.NODEV),
            directory(
                "/data/n1.example",
                new Disk(
                    Optional.empty(),
                    OptionalInt.of(01777),
                    OptionalLong.of(10L << 30),
                    OptionalLong.of(1L << 20)))),
        container.directories());
    assertEquals(
        Path.of("/scratch/alice/41-s0123456789ABC"),
        container.directories().get(1).path().of("41", "alice", "s0123456789ABC"));
  }

  @Test
  void whatJobsSeeOfTheNodeCanBeNarrowed() throws IOException {
    JobContainer container =
        file("""
        defaults:
          base_path: /b
          read_only: [/, "-/data/%n/%u"]
          hidden: -/srv/keys,/var/log
          runtime_directory: yes
          network_namespace: /run/netns/%n-%j
        """)
            .on("n1");
    assertEquals(
        List.of(narrowed("/", false), narrowed("/data/n1/%u", true)), container.readOnly());
    assertEquals(
        List.of(narrowed("/srv/keys", true), narrowed("/var/log", false)), container.hidden());
    assertTrue(container.runtimeDirectory());
    assertEquals(Optional.of(new JobPathPattern("/run/netns/n1-%j")), container.networkNamespace());
  }

  private static NarrowedPath narrowed(String path, boolean mayBeMissing) {
    return new NarrowedPath(new JobPathPattern(path), mayBeMissing);
  }

  private static PrivateDirectory directory(
      String path, PrivateDirectory.Backing backing, MountOption... flags) {
    return new PrivateDirectory(new JobPathPattern(path), backing, Set.of(flags));
  }

  @Test
  void whatHasNoEffectIsNoted() throws IOException {
    assertEquals(
        List.of(
            "namespace.yaml line 3: user_ns_script: does not run without CLONE_NEWUSER",
            "namespace.yaml line 4: dirs: dir_confs (namespace.yaml line 5) takes its place",
            "namespace.yaml line 6: base_path: '/b2' has no effect: '/dev/shm' is a tmpfs",
            "namespace.yaml line 7: options: 'huge=never' has no effect: '/tmp' is not a tmpfs",
            "namespace.yaml line 8: disable_bpf_token: has no effect: no BPF token is ever made"),
        file("""
        defaults:
          base_path: /b
          user_ns_script: /x
          dirs: /y
          dir_confs:
            - {path: /dev/shm, base_path: /b2}
            - {path: /tmp, options: "size=1g,huge=never,nodev"}
        disable_bpf_token: yes
        """)
            .notes());
  }

  @Test
  void aScriptForMapsOfAUserNamespaceRuns() throws IOException {
    assertEquals(
        List.of(
            "namespace.yaml line 5: disable_bpf_token: has no effect: no BPF token is ever made"),
        file("""
        defaults:
          base_path: /b
          clone_ns_flags: CLONE_NEWUSER
          user_ns_script: /x
          disable_bpf_token: no
        """)
            .notes());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          default: {}                     | unknown key 'default'; the nearest is defaults
          defaults: {base_pth: /b}        | unknown key 'base_pth'; the nearest is base_path
          defaults: {int_scrip: yes}      | unknown key 'int_scrip'; the nearest is init_script
          defaults: [a]                   | defaults: expected keys and values
          defaults: {[a]: b}              | a key must be a string
          defaults: {shared: 1, Shared: 0} | key 'Shared' is given twice
          {defaults: {}, defaults: {}}    | key 'defaults' is given twice
          defaults: {shared: maybe}       | shared: 'maybe' is neither yes nor no
          defaults: {shared: }            | shared: '' is neither yes nor no
          defaults: {shared: [yes]}       | shared: expected one value
          defaults: {base_path: }         | base_path: a path is missing
          defaults: {base_path: b}        | base_path: 'b' is not an absolute path
          defaults: {base_path: /a/../b}  | base_path: '/a/../b' has '..' in it
          defaults: {base_path: /a/%u}    | base_path: '/a/%u': '%u' is not a variable here; there are %h, %n
          defaults: {base_path: /tmp/x}   | base_path: '/tmp/x' is inside of the private directory '/tmp' (the defaults)
          defaults: {dirs: tmp}           | dirs: 'tmp' is not an absolute path
          defaults: {dirs: [/tmp, /tmp]}  | dirs: '/tmp' is given twice
          defaults: {dirs: {a: b}}        | dirs: expected one value
          defaults: {dirs: [[/tmp]]}      | dirs: expected one value
          defaults: {dirs: [/x/%u]}       | dirs: '/x/%u': '%u' is not a variable here; there are none
          defaults: {init_script: x}      | init_script: 'x' is not an absolute path
          defaults: {clone_ns_script: x}  | clone_ns_script: 'x' is not an absolute path
          defaults: {clone_ns_epilog: x}  | clone_ns_epilog: 'x' is not an absolute path
          defaults: {user_ns_script: x}   | user_ns_script: 'x' is not an absolute path
          defaults: {clone_ns_script_wait: -1} | clone_ns_script_wait: '-1' is not a number of seconds from 0 to 86400
          defaults: {clone_ns_epilog_wait: 1.5} | clone_ns_epilog_wait: '1.5' is not a number of seconds from 0 to 86400
          defaults: {clone_ns_flags: CLONE_NEWTIME} | clone_ns_flags: 'CLONE_NEWTIME' is none of CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWUSER, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWNET, CLONE_NEWCGROUP
          defaults: {disable_bpf_token: x} | disable_bpf_token: 'x' is neither yes nor no
          disable_bpf_token: x            | disable_bpf_token: 'x' is neither yes nor no
          node_confs: {nodes: n1}         | node_confs: expected a list
          node_confs: [n1]                | node_confs: expected keys and values
          node_confs: [{options: {}}]     | node_confs: 'nodes' is missing
          node_confs: [{nodes: n1}]       | node_confs: 'options' is missing
          node_confs: [{node: n1}]        | unknown key 'node'; the nearest is nodes
          node_confs: [{nodes: [], options: {}}] | nodes: a name is missing
          node_confs: [{nodes: {}, options: {}}] | nodes: expected one value
          node_confs: [{nodes: "n[1", options: {}}] | nodes: 'n[1' has a '[' without its ']'
          node_confs: [{nodes: ["n[1-40000]", "m[1-40000]"], options: {}}] | nodes: 'n[1-40000],m[1-40000]' has more than 65536 names
          node_confs: [{nodes: n1, options: {share: 1}}] | unknown key 'share'; the nearest is shared
          defaults: {dir_confs: /tmp}     | dir_confs: expected a list
          defaults: {dir_confs: [/tmp]}   | dir_confs: expected keys and values
          defaults: {dir_confs: [{tmpfs: yes}]} | dir_confs: 'path' is missing
          defaults: {dir_confs: [{path: tmp}]} | path: 'tmp' is not an absolute path
          defaults: {dir_confs: [{path: /x/%x}]} | path: '/x/%x': '%x' is not a variable here; there are %h, %n, %j, %u, %S
          defaults: {dir_confs: [{path: /x}, {path: /x/}]} | dir_confs: '/x' is given twice
          defaults: {dir_confs: [{path: /}]} | dir_confs: '/' cannot be private
          defaults: {dir_confs: [{path: /x, base: /y}]} | unknown key 'base'; the nearest is base_path
          defaults: {dir_confs: [{path: /x, base_path: y}]} | base_path: 'y' is not an absolute path
          defaults: {dir_confs: [{path: /x, base_path: /y/%j}]} | base_path: '/y/%j': '%j' is not a variable here; there are %h, %n
          defaults: {dir_confs: [{path: /x, tmpfs: 4g}]} | tmpfs: '4g' is neither yes nor no
          defaults: {dir_confs: [{path: /x, options: noexe}]} | options: 'noexe' is unknown; the nearest is noexec
          defaults: {dir_confs: [{path: /x, options: siz=1g}]} | options: 'siz=1g' is unknown; the nearest is size
          defaults: {dir_confs: [{path: /x, options: size=lots}]} | options: 'size=lots': that is not a value of size
          defaults: {dir_confs: [{path: /x, options: size}]} | options: 'size': that is not a value of size
          defaults: {dir_confs: [{path: /x, options: mode=999}]} | options: 'mode=999': that is not a value of mode
          defaults: {dir_confs: [{path: /x, options: noswap=1}]} | options: 'noswap=1': that is not a value of noswap
          defaults: {dir_confs: [{path: /x, options: "size=1,size=2"}]} | options: 'size' is given twice
          defaults: {base_path: /b, dir_confs: [{path: /b/x}]} | base_path: '/b' is around the private directory '/b/x' (namespace.yaml line 2)
          defaults: {base_path: /b, dir_confs: [{path: /x, base_path: /x/y}]} | base_path: '/x/y' is inside of the private directory '/x' (namespace.yaml line 2)
          defaults: {dir_confs: [{path: /x, options: size=50%}]} | options: 'size=50%': on disk it is a number from 1 to 2^63-1
          defaults: {dir_confs: [{path: /x, options: nr_inodes=0}]} | options: 'nr_inodes=0': on disk it is a number from 1 to 2^63-1
          defaults: {dir_confs: [{path: /x, options: size=99999999999999999t}]} | options: 'size=99999999999999999t': on disk it is a number from 1 to 2^63-1
          defaults: {dirs: /etc}          | dirs: '/etc' cannot be private: root's programs need '/etc'
          defaults: {dirs: /usr}          | dirs: '/usr' cannot be private: root's programs need '/usr/bin'
          defaults: {dirs: /dev}          | dirs: '/dev' cannot be private: root's programs need it
          defaults: {dirs: /etc/slurm}    | dirs: '/etc/slurm' cannot be private: root's programs trust the files in '/etc'
          defaults: {read_only: data}     | read_only: 'data' is not an absolute path
          defaults: {read_only: [/a, /a]} | read_only: '/a' is given twice
          defaults: {read_only: {a: b}}   | read_only: expected one value
          defaults: {hidden: "--/a"}      | hidden: '-/a' is not an absolute path
          defaults: {hidden: /a/%x}       | hidden: '/a/%x': '%x' is not a variable here; there are %h, %n, %j, %u, %S
          defaults: {hidden: /}           | hidden: '/' cannot be hidden: root's programs need '/etc'
          defaults: {base_path: /b, hidden: /tmp/x} | hidden: '/tmp/x' is inside of the private directory '/tmp' (the defaults)
          defaults: {base_path: /b, dirs: /s/x, hidden: /s} | hidden: '/s' is around the private directory '/s/x' (namespace.yaml line 2)
          defaults: {base_path: /b, read_only: /tmp} | read_only: '/tmp' is the private directory '/tmp' (the defaults)
          defaults: {network_namespace: jobs} | network_namespace: 'jobs' is not an absolute path
          defaults: {base_path: /b, network_namespace: /n, clone_ns_flags: CLONE_NEWNET} | network_namespace: '/n' and CLONE_NEWNET: a job is in one
          defaults: {base_path: /b, network_namespace: /n, clone_ns_flags: CLONE_NEWUSER} | network_namespace: '/n' and CLONE_NEWUSER: it belongs to another user namespace
          defaults: {runtime_directory: 1m} | runtime_directory: '1m' is neither yes nor no
          - a                             | expected keys and values
          defaults: {shared: "yes}        | is not YAML: found unexpected end of stream
          """)
  void whatCannotBeIsRefusedWithFileAndLine(String line, String problem) throws IOException {
    int at = problem.startsWith("is not YAML") ? 3 : 2;
    assertEquals(
        List.of("namespace.yaml line " + at + ": " + problem),
        file("# one\n" + line + "\n").problems());
  }

  @Test
  void allProblemsAreToldEachAtItsLine() throws IOException {
    assertEquals(
        List.of(
            "namespace.yaml line 3: 2",
            "namespace.yaml line 5: dirs: 'x' is not an absolute path",
            "namespace.yaml line 7: dirs: '/tmp' is given twice",
            "namespace.yaml line 10: nodes: 'n[2-1]': '2-1' goes down",
            "namespace.yaml line 13: options: 'nodevs' is unknown; the nearest is nodev",
            "namespace.yaml line 14: key 'disable_bpf_token' is given twice, first at"
                + " namespace.yaml line 2"),
        file(
                """
                defaults:
                  disable_bpf_token: yes
                  shared: 2
                  dirs:
                    - x
                    - /tmp
                    - /tmp
                node_confs:
                  - nodes: [n1,
                      "n[2-1]"]
                    options:
                      dir_confs:
                        - {path: /x, options: [ro, nodevs]}
                disable_bpf_token: no
                """)
            .problems()
            .stream()
            .map(one -> one.replace("shared: '2' is neither yes nor no", "2"))
            .toList());
  }

  @ParameterizedTest
  @CsvSource({
    "a.yml, shared: yes",
    "a.YAML, shared: yes",
    "a.conf, 'defaults:'",
    "a.conf, '# x=1\n\n---\n'",
    "a.conf, '{defaults: {}}'",
    "a, 'node_confs: []'",
  })
  void nameOrContentTellYaml(String name, String text) throws IOException {
    var file = new Written(directory.resolve(name)).as(text + "\nmade_up: 1\n");
    String problem = file.problems().getLast();
    assertTrue(problem.contains("unknown key 'made_up'; ") || problem.contains("YAML"), problem);
  }

  @ParameterizedTest
  @CsvSource({"a.conf, BasePath=/b", "a, NodeName=n1 BasePath=/b", "a.txt, 'BasePath = /b:c'"})
  void otherFilesAreInSlurmsSyntax(String name, String text) throws IOException {
    var file = new Written(directory.resolve(name)).as(text + "\nmade_up=1\n");
    assertTrue(file.problems().getFirst().contains("unknown key 'made_up' (1); the nearest is "));
  }
}
