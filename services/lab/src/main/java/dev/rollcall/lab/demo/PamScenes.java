package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ProcessStart;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.util.List;
import java.util.regex.Pattern;

/** Debian's own PAM stack of sshd, with pam_systemd in it, and ours as its last line. */
final class PamScenes {
  /** Types the password that node.sh gave carol. */
  private static final String TYPIST = "/srv/rollcall-vm/password";

  private static final String TELL =
      "loginctl show-session -p Remote --value \"$XDG_SESSION_ID\"; cat /proc/self/cgroup";

  /** Of the hierarchies that limit a job: v2 alone, or these of v1. */
  private static final Pattern LIMITING =
      Pattern.compile("0::.*|[0-9]+:[^:]*(freezer|memory|cpu|cpuset|pids|devices)[^:]*:.*");

  private PamScenes() {}

  static Outcome logind(SystemdNode node) {
    return inBoth(node, User.ALICE, List.of("ssh"));
  }

  /** sshd asks carol for a key, then for her password, which PAM does in a child that ends. */
  static Outcome twoFactors(SystemdNode node) {
    return inBoth(
        node,
        User.CAROL,
        List.of(
            "env",
            "SSH_ASKPASS=" + TYPIST,
            "SSH_ASKPASS_REQUIRE=force",
            "ssh",
            "-o",
            "BatchMode=no",
            "-o",
            "NumberOfPasswordPrompts=1"));
  }

  private static Outcome inBoth(SystemdNode node, User user, List<String> ssh) {
    try (NodeJob job = node.begin(user)) {
      Result told = node.ssh(ssh, user, TELL).await(SystemdNode.PATIENCE);
      if (!told.ok()) {
        return new Outcome(false, "a session", told.err().strip(), told.millis());
      }
      List<String> lines = told.out().lines().toList();
      Running stays = node.ssh(ssh, user, "exec sleep 600");
      boolean began = Eventually.holds(SystemdNode.PATIENCE, () -> job.pidOf("sleep 600") > 0);
      long pid = job.pidOf("sleep 600");
      var _ = job.end();
      boolean gone = Eventually.holds(SystemdNode.PATIENCE, () -> !stays.isAlive());
      return Outcome.compare(
          "in job %d, a session of logind; one more in the job, gone with it".formatted(job.id()),
          "in %s, %s session of logind; one more %s, %s"
              .formatted(
                  place(lines.subList(1, lines.size())),
                  lines.getFirst().equals("yes") ? "a" : "no",
                  began ? "in the job" : "elsewhere",
                  gone && !ProcessStart.isAlive(pid) ? "gone with it" : "there after it"),
          told.millis());
    }
  }

  /** The job in which all hierarchies show the session, or what they show. */
  private static String place(List<String> cgroups) {
    boolean v1 = cgroups.size() > 1;
    List<String> places =
        cgroups.stream()
            .filter(line -> LIMITING.matcher(line).matches() && !(v1 && line.startsWith("0:")))
            .map(line -> SessionScenes.place(line.replaceFirst("^[0-9]+:[^:]*:", "0::")))
            .distinct()
            .toList();
    return String.join(", ", places);
  }
}
