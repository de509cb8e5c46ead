package dev.rollcall.load.micro;

import dev.rollcall.linux.cgroup.JobPath;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.linux.process.ProcessStat;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.JobStep;
import dev.rollcall.settings.Hostlist;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Texts of the kernel, of Slurm and of people, read. */
@State(Scope.Thread)
public class Parsers {
  private static final String PATH = "/rollcall.scope/job_4711/step_extern/user/session_12";

  // Fields, so that nothing is known of them when the code is compiled.
  private String hosts = "node[1-128,200-256],login[1-4],gpu[01-16],big7";
  private String local = "10.77.0.12:22";
  private String remote = "10.77.0.11:40000";
  private String stat =
      "4711 (a (strange) name) S 4242 4711 4711 0 -1 4194304 1105 0 0 0 12 7 0 0 20 0 9 0 1815204"
          + " 1255440384 24410 18446744073709551615 1 1 0 0 0 0 0 16781312 2 0 0 0 17 1 0 0 0 0 0";
  private String path = PATH;
  private List<String> cgroup =
      List.of(
          "12:memory:/slurm/uid_2001/job_4711/step_extern",
          "11:freezer:/slurm/uid_2001/job_4711/step_extern",
          "10:devices:/",
          "9:cpu,cpuacct:/system.slice",
          "0::" + PATH);

  private final JobPath jobs = new JobPath("/rollcall.scope");
  private final Proc proc = new Proc(Path.of("/proc"));
  private final int self = Math.toIntExact(ProcessHandle.current().pid());

  @Benchmark
  public Hostlist hostlist() {
    return Hostlist.parse(hosts);
  }

  @Benchmark
  public Connection connection() {
    return Connection.tcp(Endpoint.parse(local), Endpoint.parse(remote));
  }

  @Benchmark
  public Optional<ProcessStat> stat() {
    return ProcessStat.parse(stat);
  }

  /** With what the kernel does for it. */
  @Benchmark
  public Optional<ProcessStat> statOfThis() {
    return proc.stat(self);
  }

  @Benchmark
  public ProcessCgroups cgroup() {
    return ProcessCgroups.parse(cgroup);
  }

  @Benchmark
  public Optional<JobStep> jobOfPath() {
    return jobs.jobStepOf(path);
  }
}
