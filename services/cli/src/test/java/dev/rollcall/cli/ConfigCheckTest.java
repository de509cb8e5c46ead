package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.cli.exit.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigCheckTest {
  private static final String CONF =
      """
      Shared=yes
      NodeName=n[01-18,20] AutoBasePath=yes BasePath=/nvme/%n InitScript=/etc/init.sh
      NodeName=login BasePath=none
      """;

  @TempDir private Path folder = Path.of("");
  private final Shell shell = new Shell();

  /** Runs the check; the folder's name is left out of what it prints. */
  private Shell.Ran check(String name, String text, String... words) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    var all = new ArrayList<>(List.of("config", "check", file.toString()));
    all.addAll(List.of(words));
    Shell.Ran ran = shell.run(all.toArray(String[]::new));
    String place = folder + "/";
    return new Shell.Ran(ran.status(), ran.out().replace(place, ""), ran.err().replace(place, ""));
  }

  private static Shell.Ran printed(String text) {
    return new Shell.Ran(0, text, "");
  }

  @Test
  void itTellsWhatAppliesToEachSetOfNodes() throws IOException {
    assertEquals(
        printed(
            """
            n[01-18,20] (19 nodes)
              base path       /nvme/%n, made if it is missing
              private         /tmp
              private         /dev/shm tmpfs nosuid,nodev
              namespaces      mount
              init script     /etc/init.sh, at most 10 s
              shared          the node's later mounts are seen
            login
              nothing: there is no base path
            all other nodes
              nothing: there is no base path
            """),
        check("job_container.conf", CONF));
  }

  @Test
  void itTellsWhatAppliesToOneNode() throws IOException {
    assertEquals(
        printed(
            """
            n07
              base path       /nvme/n07, made if it is missing
              private         /tmp
              private         /dev/shm tmpfs nosuid,nodev
              namespaces      mount
              init script     /etc/init.sh, at most 10 s
              shared          the node's later mounts are seen
            """),
        check("job_container.conf", CONF, "--node", "n07"));
  }

  @Test
  void itTellsWhatAppliesToAListOfNodesByWhatTheyGet() throws IOException {
    List<String> heads =
        check("job_container.conf", CONF, "--node", "login,x[1-2]")
            .out()
            .lines()
            .filter(line -> !line.startsWith(" "))
            .toList();
    assertEquals(List.of("login,x[1-2] (3 nodes)"), heads);
  }

  @Test
  void aFileOfYamlHasMoreToTell() throws IOException {
    assertEquals(
        printed(
            """
            all nodes
              base path       /b/%h
              private         /tmp tmpfs size=4g noexec,nosuid,nodev
              private         /scratch/%u below /nvme mode=1777 size=1g nr_inodes=1500 noatime
              read-only       /opt
              hidden          /srv/%u, if it is there
              runtime         a directory in memory for XDG_RUNTIME_DIR
              namespaces      mount pid user
              user ns script  /etc/user.sh, at most 10 s
              clone script    /etc/clone.sh, at most 7 s
              clone epilog    /etc/end.sh, at most 10 s
              shared          no
              bpf token       none
            note: namespace.yaml line 10: options: 'huge=never' has no effect: '/scratch/%u' is not a tmpfs
            note: namespace.yaml line 11: disable_bpf_token: has no effect: no BPF token is ever made
            """),
        check(
            "namespace.yaml",
            """
            defaults:
              base_path: /b/%h
              clone_ns_flags: [CLONE_NEWPID, CLONE_NEWUSER]
              user_ns_script: /etc/user.sh
              clone_ns_script: /etc/clone.sh
              clone_ns_script_wait: 7
              clone_ns_epilog: /etc/end.sh
              dir_confs:
                - {path: /tmp, tmpfs: yes, options: "noexec,size=4g"}
                - {path: /scratch/%u, base_path: /nvme, options: "noatime,size=1g,nr_inodes=1500,mode=1777,huge=never"}
              disable_bpf_token: yes
              read_only: /opt
              hidden: [-/srv/%u]
              runtime_directory: yes
            """));
  }

  @Test
  void allErrorsAreToldEachWithItsLine() throws IOException {
    assertEquals(
        new Shell.Ran(
            2,
            "",
            """
            rollcall: a.conf line 1: Shared: 'may\u001b[1mbe' is neither yes nor no
            rollcall: a.conf line 3: unknown key 'BasePth' (/b); the nearest is BasePath
            """
                .replace("\u001b", " ")),
        check("a.conf", "Shared=may\u001b[1mbe\n\nBasePth=/b\n"));
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertEquals(
        new Shell.Ran(2, "", "rollcall: /nowhere/a.conf: there is no such file\n"),
        shell.run("config", "check", "/nowhere/a.conf"));
  }

  @Test
  void programsReadJson() throws IOException {
    assertEquals(
        printed(
            """
            {"file":"a.yaml","good":true,"problems":[],\
            "notes":[{"file":"a.yaml","line":1,"text":"user_ns_script: does not run without CLONE_NEWUSER"}],\
            "sets":[{"nodes":"n[1-2]","size":2,"container":{"base_path":"/c","auto_base_path":true,\
            "directories":[{"path":"/x/%j","tmpfs":false,"data":"","base_path":"/y","mode":null,"bytes":null,"inodes":null,"flags":["ro"]},\
            {"path":"/tmp","tmpfs":true,"data":"size=1g","base_path":null,"mode":null,"bytes":null,"inodes":null,"flags":["nosuid","nodev"]}],\
            "init_script":null,"clone_ns_script":{"path":"/s","wait_seconds":10},"clone_ns_epilog":null,\
            "user_ns_script":{"path":"/u","wait_seconds":10},"shared":false,\
            "namespaces":["mount","net"],"disable_bpf_token":false,"read_only":[],"hidden":[],"runtime_directory":false,"network_namespace":null}},\
            {"nodes":null,"size":0,"container":{"base_path":null,"auto_base_path":false,\
            "directories":[{"path":"/tmp","tmpfs":false,"data":"","base_path":null,"mode":null,"bytes":null,"inodes":null,"flags":[]},\
            {"path":"/dev/shm","tmpfs":true,"data":"","base_path":null,"mode":null,"bytes":null,"inodes":null,"flags":["nosuid","nodev"]}],\
            "init_script":null,"clone_ns_script":null,"clone_ns_epilog":null,\
            "user_ns_script":{"path":"/u","wait_seconds":10},"shared":false,\
            "namespaces":["mount"],"disable_bpf_token":false,"read_only":[],"hidden":[],"runtime_directory":false,"network_namespace":null}}]}
            """),
        check(
            "a.yaml",
            """
            defaults: {user_ns_script: /u}
            node_confs:
            - nodes: ["n[1-2]"]
              options:
                base_path: /c
                auto_base_path: yes
                clone_ns_script: /s
                clone_ns_flags: CLONE_NEWNET
                dir_confs:
                - {path: /x/%j, base_path: /y, options: ro}
                - {path: /tmp, tmpfs: true, options: size=1g}
            """,
            "--json"));
  }

  @Test
  void programsReadErrorsAsJson() throws IOException {
    assertEquals(
        new Shell.Ran(
            2,
            """
            {"file":"a.conf","good":false,"problems":[{"file":"a.conf","line":2,\
            "text":"BasePath: 'b' is not an absolute path"}],"notes":[],"sets":[]}
            """,
            ""),
        check("a.conf", "\nBasePath=b\n", "--json"));
  }

  @Test
  void aWordThatIsNoNodeIsRefused() throws IOException {
    Shell.Ran ran = check("a.conf", "BasePath=/b\n", "--node", "a/b");
    assertEquals(ExitCode.USAGE.status(), ran.status());
    assertEquals(
        "rollcall: Invalid value for option '--node': 'a/b' is not a node name",
        ran.err().replaceAll(" \\(see.*\n", ""));
  }

  @Test
  void configAloneAsksWhat() {
    Shell.Ran ran = shell.run("config");
    assertEquals(
        new Shell.Ran(
            2,
            "",
            "rollcall: one of these words is missing: check, show (see rollcall config --help)\n"),
        ran);
  }
}
