package dev.rollcall.agent;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.agent.AgentConfig.Bpf;
import dev.rollcall.agent.AgentConfig.Fallback;
import dev.rollcall.agent.AgentConfig.Hierarchy;
import dev.rollcall.agent.AgentConfig.JobProvider;
import dev.rollcall.agent.login.adopt.SessionRules;
import dev.rollcall.agent.login.adopt.UserNamespaceSessions;
import dev.rollcall.agent.outside.UserServices;
import dev.rollcall.agent.series.SeriesNames;
import dev.rollcall.agent.series.device.GpuFileForm;
import dev.rollcall.agent.serve.UserMoves;
import dev.rollcall.jobs.limits.Reserve;
import dev.rollcall.jobs.limits.SiteRules;
import dev.rollcall.jobs.own.EndRules;
import dev.rollcall.jobs.own.EndSignal;
import dev.rollcall.jobs.own.OomKill;
import dev.rollcall.jobs.own.SessionEnd;
import dev.rollcall.jobs.own.UnkillableProgram;
import dev.rollcall.jobs.tree.TreeConfig;
import dev.rollcall.linux.calls.TrackedPorts;
import dev.rollcall.linux.systemd.ScopeName;
import dev.rollcall.linux.systemd.ScopeSettings;
import dev.rollcall.linux.systemd.SliceName;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.Prefix;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.model.allocation.NumberList;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.EffectiveKey;
import dev.rollcall.settings.FilePosition;
import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.KnownKey;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.wire.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentConfigTest {
  private static AgentConfig read(String text) throws BadConfigException {
    return AgentConfigReader.read(ConfigFile.of("agent.yaml", text));
  }

  @Test
  void isTheDefaultsWhenNothingIsSaid() throws BadConfigException {
    AgentConfig defaults =
        new AgentConfig(
            "cluster",
            Optional.empty(),
            List.of(new HostPort("127.0.0.1", 7450)),
            Optional.empty(),
            Path.of("/run/rollcall"),
            Path.of("/var/lib/rollcall"),
            Optional.empty(),
            Hierarchy.AUTO,
            ScopeSettings.DEFAULTS,
            ScopeName.ONLY,
            new LimitsConfig(Optional.empty(), Optional.empty(), Reserve.NONE),
            List.of(TrackedPorts.of(22)),
            List.of(),
            new MetricsPlace.Socket(Path.of("/run/rollcall/metrics.sock")),
            MeasureDepth.NO,
            SeriesNames.ROLLCALL,
            Map.of(),
            Map.of(),
            Bpf.AUTO,
            Optional.empty(),
            Duration.ofMinutes(2),
            List.of(),
            Path.of("/var/log/rollcall/usage.jsonl"),
            Path.of("/var/log/rollcall/audit.jsonl"),
            Path.of("/etc/rollcall/audit_only.yaml"),
            Optional.empty(),
            EndRules.DEFAULTS,
            Duration.ofSeconds(30),
            SessionRules.DEFAULTS,
            UserServices.REPORT,
            UserMoves.FROM_NO_JOB,
            List.of(),
            Optional.empty(),
            Map.of(),
            UserNamespaceSessions.REFUSE,
            JobProvider.AUTO,
            new AgentConfig.Slurm(
                Optional.empty(), Optional.empty(), Optional.empty(), Fallback.OFF, false));
    assertEquals(defaults, read(""));
    assertEquals(defaults, AgentConfigReader.defaults());
  }

  @Test
  void takesEveryKey() throws BadConfigException {
    assertEquals(
        new AgentConfig(
            "hall",
            Optional.of(new NodeName("node7")),
            List.of(new HostPort("gate1", 7450), new HostPort("fd77::1", 1)),
            Optional.of(
                new TlsFiles(
                    Path.of("/ca"),
                    Path.of("/crt"),
                    Path.of("/key"),
                    Optional.of(Path.of("/crl")))),
            Path.of("/r"),
            Path.of("/s"),
            Optional.of(Path.of("/c")),
            Hierarchy.V1,
            new ScopeSettings(
                ScopeSettings.Use.OFF,
                ScopeSettings.OnFailure.WITHOUT,
                Optional.of(new SliceName("batch-jobs.slice")),
                Duration.ofMillis(250)),
            new ScopeName("rollcall-node7.scope"),
            new LimitsConfig(
                Optional.empty(),
                Optional.empty(),
                new Reserve(Optional.of(new NumberList("0-1")), OptionalLong.of(4L << 30))),
            List.of(TrackedPorts.of(22), new TrackedPorts(27000, 27009, OptionalInt.of(50))),
            List.of(Prefix.parse("10.0.0.0/8")),
            new MetricsPlace.Port(new HostPort("::1", 9)),
            MeasureDepth.SESSIONS,
            SeriesNames.ROLLCALL,
            Map.of(Path.of("/g"), GpuFileForm.DCGM, Path.of("/h"), GpuFileForm.AMD),
            Map.of(27_000, "license", 6_817, "slurmctld"),
            Bpf.OFF,
            Optional.of(Path.of("/b")),
            Duration.ofSeconds(30),
            List.of(Path.of("/run/netns/x")),
            Path.of("/u"),
            Path.of("/a"),
            Path.of("/ao"),
            Optional.of(new DeniedHelp("Aide : https://hpc.example/ssh#é")),
            new EndRules(
                SessionEnd.KILL,
                EndSignal.CHILDREN,
                OomKill.STEP,
                Optional.of(
                    new UnkillableProgram(
                        Path.of("/usr/local/sbin/drain"), Duration.ofSeconds(90)))),
            Duration.ofSeconds(12),
            new SessionRules(new EnvironmentAllowList(List.of("TMPDIR", "SLURM_*")), true),
            UserServices.ADOPT,
            UserMoves.BETWEEN_JOBS,
            List.of("prometheus", "993"),
            Optional.empty(), // container_conf has tests of its own: SiteContainersTest
            Map.of(),
            UserNamespaceSessions.FORCE_COMMAND,
            JobProvider.SLURM,
            new AgentConfig.Slurm(
                Optional.of(Path.of("/slurm.conf")),
                Optional.of(Path.of("/spool")),
                Optional.of("n7"),
                Fallback.CGROUP_WRITE,
                true)),
        read(
            """
            cluster: hall
            node: node7
            gateways: ["gate1:7450", "[fd77::1]:1"]
            tls:
              ca: /ca
              certificate: /crt
              key: /key
              crl: /crl
            run_directory: /r
            state_directory: /s
            cgroup_root: /c
            hierarchy: v1
            systemd: off
            systemd_on_failure: without
            slice: batch-jobs.slice
            systemd_timeout_ms: 250
            scope: rollcall-node7.scope
            system_cores: "0,1"
            system_memory: 4G
            announced_ports: [22, 27000-27009 50/s]
            cluster_prefixes: ["10.0.0.0/8"]
            metrics: "[::1]:9"
            job_metrics: sessions
            job_metrics_names: rollcall
            gpu_job_files_dcgm: /g
            gpu_job_files_amd: /h
            watched_services:
              license: 27000
              slurmctld: 6817
            bpf: off
            bpf_directory: /b
            login_grace_seconds: 30
            usage_file: /u
            audit_file: /a
            audit_only_file: /ao
            denied_help: "Aide : https://hpc.example/ssh#é"
            session_end: kill
            end_signal: children
            oom_kill: step
            trusted_namespaces: [/run/netns/x]
            end_grace_seconds: 12
            unkillable_program: /usr/local/sbin/drain
            unkillable_seconds: 90
            session_environment: [TMPDIR, "SLURM_*"]
            session_limits: yes
            user_manager: adopt
            user_moves: between_jobs
            grpc_users: [prometheus, 993]
            user_namespace_sessions: force_command
            provider: slurm
            slurm_conf: /slurm.conf
            slurm_spool_directory: /spool
            slurm_node_name: n7
            slurm_runtime_directory: yes
            slurm_fallback: cgroup_write
            """));
  }

  @Test
  void takesTheNamesOfAnotherExporter() throws Exception {
    assertEquals(
        SeriesNames.CGROUP_EXPORTER,
        read("job_metrics: jobs\njob_metrics_names: cgroup_exporter").jobMetricsNames());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "node: n\\ncolour: red | agent.yaml line 2: unknown key 'colour'; known are"
            + " announced_ports, audit_file, audit_only_file, bpf, bpf_directory, cgroup_conf,"
            + " cgroup_root, cluster, cluster_prefixes, container_choices, container_conf,"
            + " denied_help,"
            + " end_grace_seconds, end_signal, gateways, gpu_job_files_amd, gpu_job_files_dcgm, grpc_users, hierarchy, job_metrics, job_metrics_names, login_grace_seconds,"
            + " metrics, node, oom_kill, provider, run_directory, scope, session_end, session_environment,"
            + " session_limits, slice, slurm_conf, slurm_fallback, slurm_node_name,"
            + " slurm_runtime_directory, slurm_spool_directory, state_directory, system_cores,"
            + " system_memory, systemd, systemd_on_failure, systemd_timeout_ms, tls,"
            + " trusted_namespaces, unkillable_program, unkillable_seconds,"
            + " usage_file, user_manager, user_moves, user_namespace_sessions, watched_services",
        "system_cores: 3-1 | agent.yaml line 1: system_cores: '3-1' is not a list of numbers such"
            + " as 0-3,8",
        "system_memory: lots | agent.yaml line 1: system_memory: 'lots' is neither a number such as"
            + " 4G nor max",
        "system_memory: 0 | agent.yaml line 1: system_memory: '0' is not a size such as 4G",
        "cgroup_conf: /nowhere/cgroup.conf | /nowhere/cgroup.conf: there is no such file",
        "node: n\\nnode: m | agent.yaml line 2: key 'node' is given twice",
        "node: 'no good' | agent.yaml line 1: node: 'no good' is not a node name",
        "gpu_job_files_dcgm: /a\\ngpu_job_files_amd: /a | agent.yaml line 2: gpu_job_files_amd: another form of files is in /a",
        "watched_services: {a: 1} | agent.yaml line 1: watched_services: needs job_metrics, with Rollcall's names of metrics",
        "watched_services: {a: 1}\\njob_metrics: jobs\\njob_metrics_names: cgroup_exporter | agent.yaml line 1: watched_services: needs job_metrics, with Rollcall's names of metrics",
        "watched_services: {a: 1, b: 1} | agent.yaml line 1: watched_services: b has the port of a",
        "watched_services: {a b: 1} | agent.yaml line 1: watched_services: 'a b' is not a name of letters, digits and dashes",
        "watched_services: {a: 0} | agent.yaml line 1: watched_services.a: '0' is not a number from 1 to 65535",
        "gateways: [here] | agent.yaml line 1: gateways: 'here' is not HOST:PORT",
        "gateways: here:1 | agent.yaml line 1: gateways: expected a list",
        "gateways: [] | agent.yaml line 1: gateways: expected at least one",
        "gateways: ['gate:1'] | agent.yaml line 1: gateways: gate:1 is not on loopback, so tls is required",
        "metrics: 'n1:9' | agent.yaml line 1: metrics: n1:9 is not on loopback, so tls is required",
        "metrics: here | agent.yaml line 1: metrics: 'here' is not HOST:PORT",
        "tls: {ca: /a} | agent.yaml line 1: key 'tls.certificate' is missing",
        "announced_ports: [0] | agent.yaml line 1: announced_ports: '0' is not a port, or a range"
            + " of ports, from 1 to 65535",
        "announced_ports: [ssh] | agent.yaml line 1: announced_ports: 'ssh' is not a port such as"
            + " 22, or ports such as 5000-5010 or 5000-5010 50/s",
        "announced_ports: [9 0/s] | agent.yaml line 1: announced_ports: 0/s is not a rate from 1/s"
            + " to 128/s",
        "announced_ports: [22, 1-30 5/s] | agent.yaml line 1: announced_ports: port 22 is in '22' and in '1-30 5/s'",
        "announced_ports: [1-2000] | agent.yaml line 1: announced_ports: 2000 ports are too many: at most 1024",
        "announced_ports: [8 64/s, 9 65/s] | agent.yaml line 1: announced_ports: the rates are 129/s together: at most"
            + " 128/s",
        "grpc_users: [-x] | agent.yaml line 1: grpc_users: '-x' is no user's name",
        "grpc_users: ['a:b'] | agent.yaml line 1: grpc_users: 'a:b' is no user's name",
        "grpc_users: alice | agent.yaml line 1: grpc_users: expected a list",
        "bpf: maybe | agent.yaml line 1: bpf: 'maybe' is none of auto, off",
        "systemd: perhaps | agent.yaml line 1: systemd: 'perhaps' is none of auto, on, off",
        "scope: jobs.scope | agent.yaml line 1: scope: 'jobs.scope' is neither rollcall.scope nor a"
            + " name such as rollcall-node7.scope",
        "slice: jobs | agent.yaml line 1: slice: 'jobs' is not the name of a slice",
        "systemd_timeout_ms: 0 | agent.yaml line 1: systemd_timeout_ms: '0' is not a number from 1"
            + " to 20000",
        "systemd: on\\ncgroup_root: /c | agent.yaml line 1: systemd: on excludes cgroup_root, here /c",
        "systemd: on\\nhierarchy: v1 | agent.yaml line 1: systemd: on needs hierarchy v2, because v1 has no"
            + " delegation",
        "run_directory: here | agent.yaml line 1: run_directory: 'here' is not an absolute path",
        "session_environment: [LD_PRELOAD] | agent.yaml line 1: session_environment: 'LD_PRELOAD'"
            + " is never taken from a job",
        "session_limits: often | agent.yaml line 1: session_limits: 'often' is neither yes nor no",
        "denied_help: ' ' | agent.yaml line 1: denied_help: it is empty",
        "denied_help: \"a\\x1bb\" | agent.yaml line 1: denied_help: it has control characters",
        "denied_help: \"a\\u202eb\" | agent.yaml line 1: denied_help: it has control characters",
        "just words | agent.yaml line 1: expected keys and values"
      })
  void saysWhatIsWrongAndWhere(String text, String problem) {
    assertEquals(
        problem,
        assertThrows(BadConfigException.class, () -> read(text.replace("\\n", "\n"))).getMessage());
  }

  @Test
  void aFileInAnotherEncodingIsRefused(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("agent.yaml");
    Files.write(file, "denied_help: f\u00fcr alle\n".getBytes(ISO_8859_1));
    String problem =
        assertThrows(BadConfigException.class, () -> ConfigFile.read(file)).getMessage();
    assertEquals("cannot read " + file + ": is not text in UTF-8", problem);
  }

  @Test
  void aHelpTextHasALimitedLength() {
    String problem =
        assertThrows(BadConfigException.class, () -> read("denied_help: " + "é".repeat(129)))
            .getMessage();
    assertEquals(
        "agent.yaml line 1: denied_help: it has 258 bytes, and at most 256 are shown", problem);
  }

  @Test
  void whatCgroupConfSaysIsMadeRulesOfTheNodesMemory(@TempDir Path directory) throws Exception {
    Path conf = Files.writeString(directory.resolve("cgroup.conf"), "ConstrainCores=yes\n");
    Files.write(
        directory.resolve("meminfo"),
        "\u00fc: 1 kB\nMemTotal:       1000000 kB\nMemFree: 1 kB\n".getBytes(ISO_8859_1));
    var site = read("cgroup_conf: " + conf).limits().site(directory);
    assertEquals(1_024_000_000, site.ramBytes());
    assertEquals(
        new SiteRules(true, false, false, false, 100, 0, 100, 100, 1_024_000_000, 30 << 20),
        site.rules());
    assertEquals(SiteRules.AS_ASKED, read("").limits().site(directory).rules());
  }

  @Test
  void everyKeyIsShownWithItsValueAndItsPlace(@TempDir Path directory) throws Exception {
    Path conf = Files.writeString(directory.resolve("cgroup.conf"), "CgroupSlice=a.slice\n");
    Path file =
        Files.writeString(
            directory.resolve("agent.yaml"),
            "cluster: alps\ncgroup_conf: %s\nsystemd: off\n".formatted(conf));
    Map<String, EffectiveKey> shown = new LinkedHashMap<>();
    AgentKeys.effective(file).forEach(key -> shown.put(key.key(), key));
    assertEquals(
        AgentKeys.configuration().stream()
            .map(KnownKey::key)
            .filter(key -> !key.startsWith("tls."))
            .toList(),
        List.copyOf(shown.keySet()));
    assertEquals(
        new EffectiveKey(
            "cluster", Optional.of("alps"), Optional.of(new FilePosition(file.toString(), 1))),
        shown.get("cluster"));
    assertEquals(
        new EffectiveKey(
            "slice", Optional.of("a.slice"), Optional.of(new FilePosition(conf.toString(), 0))),
        shown.get("slice"));
    assertEquals(
        new EffectiveKey(
            "systemd", Optional.of("off"), Optional.of(new FilePosition(file.toString(), 3))),
        shown.get("systemd"));
    assertEquals(
        new EffectiveKey("hierarchy", Optional.of("auto"), Optional.empty()),
        shown.get("hierarchy"));
  }

  @Test
  void theKeysOfTheAgentGoBeforeThoseOfCgroupConf(@TempDir Path directory) throws Exception {
    Path conf =
        Files.writeString(
            directory.resolve("cgroup.conf"),
            """
            CgroupPlugin=cgroup/v1
            CgroupMountPoint=/cgroups
            CgroupSlice=batch.slice
            IgnoreSystemd=yes
            SystemdTimeout=300000
            ConstrainSwapSpace=yes
            MemorySwappiness=10
            """);
    AgentConfig said = read("cgroup_conf: " + conf);
    assertEquals(
        new ScopeSettings(
            ScopeSettings.Use.OFF,
            ScopeSettings.OnFailure.WITHOUT,
            Optional.of(new SliceName("batch.slice")),
            Duration.ofSeconds(20)),
        said.scope());
    TreeConfig tree = said.tree(Optional.empty(), Path.of("/proc"));
    assertEquals(
        new TreeConfig(
            Optional.empty(),
            TreeConfig.Choice.V1,
            Path.of("/proc"),
            Path.of("/cgroups"),
            false,
            OptionalInt.of(10),
            ScopeName.ONLY),
        tree);
    AgentConfig other =
        read("cgroup_conf: " + conf + "\nhierarchy: v2\nsystemd: auto\nslice: x.slice");
    assertEquals(TreeConfig.Choice.V2, other.tree(Optional.empty(), Path.of("/proc")).hierarchy());
    assertEquals(ScopeSettings.Use.AUTO, other.scope().use());
    assertEquals(Optional.of(new SliceName("x.slice")), other.scope().slice());
    assertEquals(
        new TreeConfig(Optional.empty(), TreeConfig.Choice.AUTO, Path.of("/proc")),
        read("").tree(Optional.empty(), Path.of("/proc")));
  }
}
