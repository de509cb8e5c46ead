package dev.rollcall.load.login;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.Figure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The logins of one case, to all of its targets, and what came of them. */
final class LoginRuns {
  /** Of ours, how many may end otherwise than the case says before it is no measurement. */
  private static final double FEW = 0.1;

  private final Expected expected;
  private final Map<LoginTarget, List<Login>> all = new HashMap<>();
  private final Map<NodeAddress, AgentTimes> agents = new HashMap<>();

  /**
   * How logins of a case end.
   *
   * @param result of ours and the peer's; libpam's number
   * @param job that it is to be, in words; empty where there is none
   */
  record Expected(int result, String job) {
    static Expected refused() {
      return new Expected(Login.REFUSED, "");
    }

    static Expected in(long job) {
      return new Expected(Login.PERMITTED, Long.toString(job));
    }

    boolean isMet(Login login) {
      return login.result() == result && login.job().orElse("").equals(job);
    }
  }

  LoginRuns(Expected expected) {
    this.expected = expected;
  }

  /** Takes what the probe printed. */
  void add(List<LoginTarget> targets, String printed) {
    printed
        .lines()
        .map(Login::parse)
        .forEach(login ->
            targets.stream()
                .filter(target -> target.text().equals(login.target()))
                .findFirst()
                .ifPresent(
                    target -> all.computeIfAbsent(target, _ -> new ArrayList<>()).add(login)));
  }

  void add(NodeAddress node, AgentTimes times) {
    agents.merge(node, times, AgentTimes::plus);
  }

  /**
   * One line: our logins to a node beside the peer's and the floor's, where there are any.
   *
   * @throws BenchFailedException if ours did not end as the case says
   */
  BenchCase told(String name, LoginTarget ours) {
    BenchCase told = BenchCase.of(name, "us", figure(ours));
    LoginTarget peer = LoginTarget.peer(LoginCluster.SLURMS);
    if (all.containsKey(peer)) {
      told = told.withPeer(figure(peer)).withFact("peer_otherwise", otherwise(peer));
    }
    LoginTarget floor = LoginTarget.floor(ours.node());
    if (all.containsKey(floor)) {
      told = told.withFloor(figure(floor));
    }
    long strange = otherwise(ours);
    if (strange > FEW * logins(ours).size()) {
      throw new BenchFailedException(
          "%s: %d of %d logins did not end with %s, such as %s"
              .formatted(name, strange, logins(ours).size(), expected, strangest(ours)));
    }
    return withAgent(told.withFact("ours_otherwise", strange), ours.node());
  }

  private BenchCase withAgent(BenchCase told, NodeAddress node) {
    AgentTimes times = agents.get(node);
    if (times == null) {
      return told;
    }
    BenchCase with =
        times.meanSession().map(mean -> told.withFact("agent_mean_us", mean)).orElse(told);
    return times.meanMove().map(mean -> with.withFact("move_mean_us", mean)).orElse(with);
  }

  private Figure figure(LoginTarget target) {
    return Figure.ofSamples(logins(target).stream().mapToDouble(Login::accountMicros).toArray());
  }

  private List<Login> logins(LoginTarget target) {
    return all.getOrDefault(target, List.of());
  }

  private long otherwise(LoginTarget target) {
    return logins(target).stream().filter(login -> !expected.isMet(login)).count();
  }

  private Login strangest(LoginTarget target) {
    return logins(target).stream()
        .filter(login -> !expected.isMet(login))
        .findFirst()
        .orElseThrow();
  }
}
