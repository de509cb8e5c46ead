package dev.rollcall.cli.doctor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Checks the settings that {@code sshd -T} prints. */
public final class SshdChecks {
  private static final String ENTER = "rollcall-enter";
  private static final String TASK_CONTAINER = "ROLLCALL_TASK_CONTAINER";

  private SshdChecks() {}

  /**
   * @param settings the lines of {@code sshd -T}
   * @param stack sshd's, for what our lines say
   * @param byForceCommand whether agent.yaml counts on a ForceCommand
   */
  public static List<Finding> of(
      List<String> settings, List<PamLine> stack, boolean byForceCommand) {
    List<Finding> found = new ArrayList<>();
    found.add(usePam(settings));
    found.add(useDns(settings));
    found.add(penalties(settings, stack));
    found.add(ports(settings, stack));
    found.addAll(matchable(settings, stack, byForceCommand));
    return found;
  }

  /** Of what a Match block may set, what matters here. */
  public static Finding match(MatchSeen seen, List<PamLine> stack, boolean byForceCommand) {
    String id = "sshd.match";
    String block = "Match " + seen.criteria() + " (" + seen.where() + ")";
    return switch (seen.settings()) {
      case Seen.Not<List<String>>(String why) -> Finding.unseen(id, block + ": " + why);
      case Seen.Got<List<String>>(List<String> settings) ->
          matchable(settings, stack, byForceCommand).stream()
              .filter(finding -> finding.state() != Finding.State.GOOD)
              .max(Comparator.comparing(Finding::state))
              .map(worst ->
                  new Finding(id, worst.state(), block + ": " + worst.says(), worst.remedy()))
              .orElseGet(() -> Finding.good(id, block + " changes nothing that matters here"));
    };
  }

  private static List<Finding> matchable(
      List<String> settings, List<PamLine> stack, boolean byForceCommand) {
    List<PamLine> ours = stack.stream().filter(PamLine::isOurs).toList();
    List<Finding> found = new ArrayList<>();
    pamService(settings, ours).ifPresent(found::add);
    if (ours.stream().anyMatch(line -> option(line, "choose").matches("(?i)1|true"))) {
      found.add(choose(settings));
    }
    if (byForceCommand) {
      found.add(forceCommand(settings));
    }
    if (values(settings, "forcecommand").stream()
        .anyMatch(each -> each.contains(ENTER) && each.contains("--task"))) {
      found.add(acceptEnv(settings));
    }
    return found;
  }

  private static String option(PamLine line, String name) {
    return line.arguments().stream()
        .filter(word -> word.toLowerCase(Locale.ROOT).startsWith(name + "="))
        .map(word -> word.substring(name.length() + 1))
        .reduce("", (_, last) -> last);
  }

  /** Only sshd of OpenSSH 9.8 and later has another than its own name. */
  private static Optional<Finding> pamService(List<String> settings, List<PamLine> ours) {
    String id = "sshd.pamservicename";
    return values(settings, "pamservicename").stream()
        .findFirst()
        .map(service ->
            ours.stream()
                .map(line -> option(line, "service"))
                .filter(served ->
                    !served.equals("*")
                        && !service.equalsIgnoreCase(served.isEmpty() ? "sshd" : served))
                .findFirst()
                .map(_ ->
                    Finding.bad(
                        id,
                        "PAMServiceName is "
                            + service
                            + ", for which pam_rollcall.so returns PAM_IGNORE: sessions are not"
                            + " adopted",
                        "write service=" + service + " on both PAM lines, and them in that stack"))
                .orElseGet(() -> Finding.good(id, "PAMServiceName is " + service)));
  }

  private static Finding choose(List<String> settings) {
    String id = "sshd.choose";
    String kbd = "keyboard-interactive";
    List<String> methods = values(settings, "authenticationmethods");
    boolean offered =
        values(settings, "kbdinteractiveauthentication").contains("yes")
            && (methods.isEmpty()
                || methods.stream().anyMatch(each -> each.equals("any") || each.contains(kbd)));
    return offered
        ? Finding.good(id, "choose=1, and sshd can prompt by " + kbd)
        : Finding.warning(
            id,
            "choose=1 is on the PAM lines, but " + kbd + " is not offered: users are not prompted",
            "set 'KbdInteractiveAuthentication yes', or remove choose=1");
  }

  private static Finding forceCommand(List<String> settings) {
    String id = "sshd.forcecommand";
    return values(settings, "forcecommand").stream().anyMatch(each -> each.contains(ENTER))
        ? Finding.good(id, "ForceCommand is " + ENTER)
        : Finding.bad(
            id,
            "user_namespace_sessions is force_command, and ForceCommand is not "
                + ENTER
                + ": sessions of jobs with a user namespace are outside their container",
            "set ForceCommand as in docs/containers.md");
  }

  /** sshd_config(5): patterns of * and ?. */
  private static Finding acceptEnv(List<String> settings) {
    String id = "sshd.acceptenv";
    boolean accepted =
        values(settings, "acceptenv").stream()
            .flatMap(each -> Arrays.stream(each.split("\\s+")))
            .map(pattern -> Pattern.quote(pattern).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q"))
            .anyMatch(TASK_CONTAINER::matches);
    return accepted
        ? Finding.good(id, "users can send " + TASK_CONTAINER)
        : Finding.warning(
            id,
            "ForceCommand is "
                + ENTER
                + " with --task, and AcceptEnv lacks "
                + TASK_CONTAINER
                + ": users whose job has several containers on a node cannot log in there",
            "set 'AcceptEnv " + TASK_CONTAINER + "' in sshd_config");
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
            id, "UsePAM is not yes: sshd calls no PAM module", "set 'UsePAM yes' in sshd_config");
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

  /**
   * @param kept the agent's login_grace_seconds
   */
  public static Finding grace(List<String> settings, int kept) {
    String id = "sshd.logingracetime";
    List<String> values = values(settings, "logingracetime");
    if (values.isEmpty() || !values.getFirst().matches("[0-9]{1,9}")) {
      return Finding.unseen(id, "sshd -T does not print LoginGraceTime");
    }
    int grace = Integer.parseInt(values.getFirst());
    String says = "LoginGraceTime is %d s, login_grace_seconds is %d".formatted(grace, kept);
    if (grace == 0) {
      return Finding.good(id, says + ": 0 is no limit, and slower logins ask the caller's node");
    }
    return grace <= kept
        ? Finding.good(id, says)
        : Finding.warning(
            id,
            says + ": the agent forgets the callers of slower logins",
            "set 'login_grace_seconds: " + grace + "' in agent.yaml");
  }

  /** OpenSSH 9.8 and later count a refusal of the account line as a failed authentication. */
  private static Finding penalties(List<String> settings, List<PamLine> stack) {
    String id = "sshd.penalties";
    boolean refuses =
        stack.stream().anyMatch(line -> line.isOurs() && line.type().equals("account"));
    boolean counted =
        values(settings, "persourcepenalties").stream()
            .flatMap(value -> Arrays.stream(value.split("\\s+")))
            .anyMatch(word -> word.matches("authfail:[0-9.]*[1-9][0-9.]*"));
    List<String> exempt =
        values(settings, "persourcepenaltyexemptlist").stream()
            .filter(list -> !list.equals("none"))
            .toList();
    return refuses && counted && exempt.isEmpty()
        ? Finding.warning(
            id,
            "PerSourcePenalties has authfail, and no address is exempt: users without a job lock"
                + " out all users of their login node",
            "set PerSourcePenaltyExemptList to the cluster's networks (docs/pam.md)")
        : Finding.good(
            id, "refusals lock out no address" + (exempt.isEmpty() ? "" : " of " + exempt));
  }

  private static Finding ports(List<String> settings, List<PamLine> stack) {
    String id = "sshd.port";
    var listening = new TreeSet<>(values(settings, "port"));
    List<PamLine> ours = stack.stream().filter(PamLine::isOurs).toList();
    if (ours.isEmpty()) {
      return Finding.unseen(id, "there is no pam_rollcall.so, so its ports were not compared");
    }
    var known = new TreeSet<String>();
    for (PamLine line : ours) {
      line.arguments().stream()
          .filter(word -> Pattern.matches("(?i)port=.*", word))
          .flatMap(word -> Arrays.stream(word.substring(5).split(",", -1)))
          .forEach(known::add);
    }
    if (known.isEmpty()) {
      known.add("22");
    }
    return known.containsAll(listening)
        ? Finding.good(id, "the module knows sshd's ports " + listening)
        : Finding.warning(
            id,
            "sshd listens on " + listening + ", and the module looks for connections to " + known,
            "write port=" + String.join(",", listening) + " on both PAM lines");
  }
}
