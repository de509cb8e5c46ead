package dev.rollcall.cli.doctor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What {@code sshd -T} says is in force outside of Match blocks. */
public final class SshdChecks {
  private SshdChecks() {}

  /**
   * @param settings the lines of {@code sshd -T}
   * @param stack sshd's, for the ports that our line knows
   */
  public static List<Finding> of(List<String> settings, List<PamLine> stack) {
    return List.of(usePam(settings), useDns(settings), grace(settings), ports(settings, stack));
  }

  private static List<String> values(List<String> settings, String key) {
    String start = key + " ";
    return settings.stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()).strip())
        .toList();
  }

  private static Finding usePam(List<String> settings) {
    String id = "sshd.usepam";
    return values(settings, "usepam").contains("yes")
        ? Finding.good(id, "UsePAM is yes")
        : Finding.bad(
            id, "UsePAM is not yes: sshd asks no PAM module", "set 'UsePAM yes' in sshd_config");
  }

  private static Finding useDns(List<String> settings) {
    String id = "sshd.usedns";
    return values(settings, "usedns").contains("yes")
        ? Finding.warning(
            id,
            "UseDNS is yes: PAM gets a name where the module needs the caller's address",
            "set 'UseDNS no' in sshd_config")
        : Finding.good(id, "UseDNS is not yes");
  }

  private static Finding grace(List<String> settings) {
    String id = "sshd.logingracetime";
    List<String> told = values(settings, "logingracetime");
    return told.isEmpty()
        ? Finding.unseen(id, "sshd -T does not tell LoginGraceTime")
        : Finding.good(
            id,
            "LoginGraceTime is "
                + told.getFirst()
                + " s: login_grace_seconds of agent.yaml should be no less");
  }

  private static Finding ports(List<String> settings, List<PamLine> stack) {
    String id = "sshd.port";
    var listening = new TreeSet<>(values(settings, "port"));
    var known = new TreeSet<String>();
    List<PamLine> ours = new ArrayList<>(stack);
    ours.removeIf(line -> !line.is("pam_rollcall") || line.type().equals("auth"));
    for (PamLine line : ours) {
      line.arguments().stream()
          .filter(word -> Pattern.matches("(?i)port=.*", word))
          .flatMap(word -> Arrays.stream(word.substring(5).split(",", -1)))
          .forEach(known::add);
    }
    if (known.isEmpty()) {
      known.add("22");
    }
    if (ours.isEmpty()) {
      return Finding.unseen(id, "there is no pam_rollcall.so that would know sshd's ports");
    }
    return known.containsAll(listening)
        ? Finding.good(id, "the module knows sshd's ports " + listening)
        : Finding.warning(
            id,
            "sshd listens on " + listening + ", and the module looks for connections to " + known,
            "write port=" + String.join(",", listening) + " on both PAM lines");
  }
}
