package dev.rollcall.lab.demo;

import dev.rollcall.testkit.process.Result;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Where an ssh session arrived, as the kernel and the session itself tell it.
 *
 * @param place "job 7", or what else the session's cgroup and environment show
 * @param reason the word for why, empty without adoption
 * @param doubt why the caller did not decide, empty if it did
 * @param adoption the decision's name, empty without adoption
 * @param said what ssh itself printed
 * @param millis from the start of ssh to its end
 */
public record Visit(
    String place, String reason, String doubt, String adoption, String said, long millis) {
  /** What a session runs to tell where it is; its own process is a child of sshd's. */
  static final String TELL =
      "cat /proc/self/cgroup; for name in SLURM_JOB_ID ROLLCALL_REASON ROLLCALL_DOUBT"
          + " ROLLCALL_ADOPTION;"
          + " do echo \"$name=$(printenv $name)\"; done";

  /**
   * Reads what a session told.
   *
   * @param place the way from the text of a /proc/PID/cgroup to "job 7", or what else it shows
   */
  static Visit of(Result ssh, UnaryOperator<String> place) {
    if (!ssh.ok()) {
      return new Visit("refused", "", "", "", ssh.err().strip(), ssh.millis());
    }
    return new Visit(
        agreed(place.apply(ssh.out()), value(ssh, "SLURM_JOB_ID")),
        value(ssh, "ROLLCALL_REASON"),
        value(ssh, "ROLLCALL_DOUBT"),
        value(ssh, "ROLLCALL_ADOPTION"),
        ssh.err().strip(),
        ssh.millis());
  }

  private static String agreed(String place, String jobInEnvironment) {
    return !place.startsWith("job ") || place.equals("job " + jobInEnvironment)
        ? place
        : place + " with SLURM_JOB_ID=" + jobInEnvironment;
  }

  private static String value(Result ssh, String name) {
    return ssh.out()
        .lines()
        .filter(line -> line.startsWith(name + "="))
        .map(line -> line.substring(name.length() + 1))
        .collect(Collectors.joining());
  }
}
