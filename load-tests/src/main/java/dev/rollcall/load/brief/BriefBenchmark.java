package dev.rollcall.load.brief;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.Benchmark;
import dev.rollcall.load.bench.Figure;
import dev.rollcall.testkit.process.RigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The commands that are a program's in C, one after the other and a hundred at once, as prologs
 * call them. A process that does nothing is the floor; the same words of Java are a fact.
 */
public final class BriefBenchmark implements Benchmark {
  private static final double MILLI = 1_000_000;
  private static final String USER = "2001";
  private static final int FIRST_OF_ROW = 10_000;
  private static final int FIRST_OF_BURST = 20_000;
  private static final int FIRST_OF_PROLOGS = 30_000;
  private static final int FIRST_OF_JAVA = 40_000;
  private static final int UNKNOWN = 4;
  private static final List<String> NOTHING = List.of("/bin/true");
  private static final List<String> WHOIS = List.of("whois", "127.0.0.1:9", "127.0.0.1:10");
  private static final List<String> BEGIN = List.of("job", "begin", "--user", USER, "{}");
  private static final List<String> END = List.of("job", "end", "--grace", "0", "{}");
  private static final List<String> CONNECT =
      List.of("connect", BriefCluster.PEER, Integer.toString(BriefCluster.PORT));

  @Override
  public String name() {
    return "brief";
  }

  @Override
  public String about() {
    return "whois, connect, job begin and end: time, CPU and memory, and 100 prologs at once";
  }

  @Override
  public List<BenchCase> run(Bench bench) {
    bench.progress().accept("raising a cluster");
    try (var cluster = new BriefCluster(bench)) {
      return new Measured(bench, cluster).all();
    } catch (RigException e) {
      throw new BenchFailedException("short commands: " + e.getMessage(), e);
    }
  }

  private record Measured(Bench bench, BriefCluster cluster) {
    List<BenchCase> all() {
      int times = bench.count(200, 5);
      int jobs = bench.count(100, 5);
      // The agent's part of each is compiled, and the files are in memory.
      rowOf(times, FIRST_OF_JAVA, BEGIN, 0);
      rowOf(times, FIRST_OF_JAVA, END, 0);
      var cases = new ArrayList<BenchCase>();
      cases.addAll(row("whois", WHOIS, UNKNOWN, times));
      cases.addAll(row("connect", CONNECT, 0, times));
      cases.addAll(row("job begin", BEGIN, 0, jobs));
      cases.addAll(row("job end", END, 0, jobs));
      cases.add(burst(jobs + " job begin at once", FIRST_OF_BURST, jobs, launched(BEGIN)));
      cases.add(burst(jobs + " prologs at once", FIRST_OF_PROLOGS, jobs, prolog()));
      return cases;
    }

    private List<String> launched(List<String> words) {
      return Stream.concat(Stream.of(cluster.shipped("bin/rollcall")), words.stream()).toList();
    }

    private List<String> java(List<String> words) {
      return Stream.concat(
              Stream.of("env", "ROLLCALL_BRIEF=no", "JAVA_HOME=" + System.getProperty("java.home")),
              launched(words).stream())
          .toList();
    }

    private List<String> prolog() {
      return List.of(
          "env",
          "SLURM_JOB_ID={}",
          "SLURM_JOB_UID=" + USER,
          "SLURM_JOB_GID=" + USER,
          "ROLLCALL_HOOK_STRICT=1",
          cluster.shipped("lib/slurm/prolog"));
    }

    private Runs rowOf(int times, int first, List<String> words, int status) {
      return cluster.row(times, first, launched(words)).ended(status, String.join(" ", words));
    }

    /** Its time and its CPU. */
    private List<BenchCase> row(String name, List<String> words, int status, int times) {
      bench.progress().accept(name);
      Runs nothing = cluster.row(times, 0, NOTHING).ended(0, "/bin/true");
      long before = cluster.agentNanos();
      Runs ours = rowOf(times, FIRST_OF_ROW, words, status);
      double agent = (cluster.agentNanos() - before) / MILLI / times;
      int few = bench.count(3, 1);
      Runs java = cluster.row(few, FIRST_OF_JAVA, java(words)).ended(status, name + " of Java");
      return List.of(
          told(name, ours.millis(), nothing.millis())
              .withFact("megabytes", ours.megabytes())
              .withFact("java_ms", java.millis().value())
              .withFact("java_megabytes", java.megabytes()),
          told(name + ", CPU", ours.cpuMillis(), nothing.cpuMillis())
              .withFact("agent_ms", agent)
              .withFact("java_ms", java.cpuMillis().value()));
    }

    private static BenchCase told(String name, Figure ours, Figure floor) {
      return BenchCase.of(name, "ms", ours).withFloor(floor);
    }

    /** The CPU of all of them together, with the agent's until the last has ended. */
    private BenchCase burst(String name, int first, int jobs, List<String> command) {
      bench.progress().accept(name);
      Runs nothing = cluster.burst(jobs, 0, NOTHING).ended(0, "/bin/true");
      long had = cluster.jobs();
      long before = cluster.agentNanos();
      Runs ours = cluster.burst(jobs, first, command).ended(0, name);
      double agent = (cluster.agentNanos() - before) / MILLI;
      if (cluster.jobs() != had + jobs) {
        throw new BenchFailedException(name + ": the agent has " + cluster.jobs() + " jobs");
      }
      rowOf(jobs, first, END, 0);
      Map<String, Object> facts =
          Map.of(
              "commands_ms",
              ours.cpuMillisOfAll(),
              "agent_ms",
              agent,
              "until_last_ms",
              ours.untilLast().orElseThrow() / MILLI,
              "megabytes",
              ours.megabytes());
      BenchCase one =
          told(
              name + ", CPU",
              Figure.of(ours.cpuMillisOfAll() + agent),
              Figure.of(nothing.cpuMillisOfAll()));
      for (Map.Entry<String, Object> fact : facts.entrySet()) {
        one = one.withFact(fact.getKey(), fact.getValue());
      }
      return one;
    }
  }
}
