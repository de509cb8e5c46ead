package dev.rollcall.load.login;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.Benchmark;
import dev.rollcall.testkit.process.RigException;
import java.util.List;

/**
 * PAM's account phase with the connection open, as sshd has it: pam_rollcall, pam_slurm_adopt and
 * pam_permit, each alone in its stack, for the same jobs and the same callers, by turns.
 */
public final class LoginBenchmark implements Benchmark {
  @Override
  public String name() {
    return "login";
  }

  @Override
  public String about() {
    return "PAM's account phase, and whole logins: ours, pam_slurm_adopt, and neither";
  }

  @Override
  public List<BenchCase> run(Bench bench) {
    bench.progress().accept("raising a cluster with Slurm");
    try (var cluster = LoginCluster.raise(bench.distribution())) {
      return new LoginScenes(bench, cluster).run();
    } catch (RigException e) {
      throw new BenchFailedException("the cluster for logins: " + e.getMessage(), e);
    }
  }
}
