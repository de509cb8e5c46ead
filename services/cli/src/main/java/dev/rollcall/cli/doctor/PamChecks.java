package dev.rollcall.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Checks the position of Rollcall's lines in sshd's PAM stack, and the lines around them. */
public final class PamChecks {
  private static final String OURS = "pam_rollcall";

  /** Put before ours on purpose, as docs/migrating-from-pam_slurm_adopt.md has them. */
  private static final Set<String> BYPASSES =
      Set.of("pam_access.so", "pam_listfile.so", "pam_succeed_if.so");

  private PamChecks() {}

  /**
   * @param login whether the node is a login node by its certificate
   */
  public static List<Finding> of(List<PamLine> stack, boolean login) {
    List<Finding> found = new ArrayList<>();
    List<PamLine> account = type(stack, "account");
    List<PamLine> session = type(stack, "session");
    if (ours(account).isEmpty() && ours(session).isEmpty()) {
      found.addAll(neither(login));
    } else {
      found.add(account(account));
      found.add(session(session));
    }
    found.add(before("account", account));
    found.add(before("session", session));
    found.add(after(session));
    found.add(options(account, session));
    found.add(beside(stack));
    return found;
  }

  private static List<PamLine> type(List<PamLine> stack, String type) {
    return stack.stream().filter(line -> line.type().equals(type)).toList();
  }

  private static Optional<PamLine> ours(List<PamLine> lines) {
    return lines.stream().filter(line -> line.is(OURS)).findFirst();
  }

  /** As it should be on a login node, where the lines would refuse all users. */
  private static List<Finding> neither(boolean login) {
    String id = "pam.account";
    if (login) {
      return List.of(
          Finding.good(id, "sshd's stack has no pam_rollcall.so, as is right for a login node"));
    }
    return List.of(
        Finding.warning(
            id,
            "sshd's stack has no pam_rollcall.so. On a login node this is correct. On a compute node"
                + " sessions are neither adopted nor refused",
            "on a compute node add the lines of docs/pam.md. On a login node they would refuse all"
                + " users: give it a certificate of a login node, by rollcall ca issue login"),
        Finding.unseen("pam.session", "sshd's stack has no pam_rollcall.so"));
  }

  private static Finding account(List<PamLine> account) {
    String id = "pam.account";
    Optional<PamLine> ours = ours(account);
    if (ours.isEmpty()) {
      return Finding.bad(
          id,
          "sshd's account stack has no pam_rollcall.so: sessions are neither adopted nor refused",
          "add 'account required pam_rollcall.so' as its last line (docs/pam.md)");
    }
    if (ours.get().skipped()) {
      return skipped(id, "account");
    }
    if (ours.get().control().equals("optional")) {
      return Finding.warning(
          id,
          "the account line is optional: no user is refused",
          "make it required after the first week");
    }
    return Finding.good(id, "account has pam_rollcall.so, " + ours.get().control());
  }

  private static Finding session(List<PamLine> session) {
    String id = "pam.session";
    return ours(session)
        .map(line ->
            line.skipped()
                ? skipped(id, "session")
                : Finding.good(id, "session has pam_rollcall.so, " + line.control()))
        .orElseGet(() ->
            Finding.bad(
                id,
                "sshd's session stack has no pam_rollcall.so: sessions that pam_systemd moves, or"
                    + " that come by keyboard-interactive, are outside of their job",
                "add 'session required pam_rollcall.so' as its last line (docs/pam.md)"));
  }

  private static Finding skipped(String id, String type) {
    return Finding.warning(
        id,
        "the line begins with '-"
            + type
            + "': if the module is missing, users log in without their job, and no log has it",
        "write '" + type + "' without the hyphen");
  }

  /** What ends a stack before our line is reached. */
  private static Finding before(String type, List<PamLine> lines) {
    String id = "pam." + type + ".before";
    Optional<PamLine> ours = ours(lines);
    if (ours.isEmpty()) {
      return Finding.unseen(
          id, type + " has no pam_rollcall.so, so the lines before it were not checked");
    }
    int place = lines.indexOf(ours.get());
    List<PamLine> ending =
        IntStream.range(0, place)
            .filter(i -> lines.get(i).endsTheStackBefore(ours.get(), place - i))
            .mapToObj(lines::get)
            .toList();
    List<PamLine> unwanted =
        ending.stream().filter(line -> !BYPASSES.contains(line.module())).toList();
    if (unwanted.isEmpty()) {
      return Finding.good(
          id,
          ending.isEmpty()
              ? "no line ends the " + type + " stack before Rollcall's line"
              : "only " + names(ending) + " admits users before Rollcall's line");
    }
    return new Finding(
        id,
        type.equals("session") ? Finding.State.BAD : Finding.State.WARNING,
        "users that " + names(unwanted) + " admits never reach Rollcall's " + type + " line",
        "include its file by '"
            + type
            + " substack', or "
            + (type.equals("session") ? "make it optional" : "put pam_rollcall.so before it"));
  }

  /** What could move a session away again. */
  private static Finding after(List<PamLine> session) {
    String id = "pam.session.after";
    Optional<PamLine> ours = ours(session);
    if (ours.isEmpty()) {
      return Finding.unseen(
          id, "session has no pam_rollcall.so, so the lines after it were not checked");
    }
    List<PamLine> after = session.subList(session.lastIndexOf(ours.get()) + 1, session.size());
    if (after.stream().anyMatch(line -> line.is("pam_systemd"))) {
      return Finding.bad(
          id,
          "pam_systemd.so comes after Rollcall's session line, and moves sessions out of their job",
          "make 'session required pam_rollcall.so' the last line of session");
    }
    return after.isEmpty()
        ? Finding.good(
            id,
            "Rollcall's session line is the last: it moves sessions back that other modules moved")
        : Finding.warning(
            id,
            names(after) + " comes after Rollcall's session line, which cannot correct its changes",
            "make 'session required pam_rollcall.so' the last line of session");
  }

  private static Finding options(List<PamLine> account, List<PamLine> session) {
    String id = "pam.options";
    Optional<PamLine> gate = ours(account);
    Optional<PamLine> again = ours(session);
    if (gate.isEmpty() || again.isEmpty()) {
      return Finding.unseen(
          id, "one of the two lines is missing, so their options were not compared");
    }
    Set<String> one = Set.copyOf(gate.get().arguments());
    Set<String> other = Set.copyOf(again.get().arguments());
    return one.equals(other)
        ? Finding.good(id, "both lines have the same options")
        : Finding.warning(
            id,
            "account has the options "
                + gate.get().arguments()
                + ", session has "
                + again.get().arguments(),
            "write the same options on both lines");
  }

  private static Finding beside(List<PamLine> stack) {
    String id = "pam.slurm_adopt";
    return stack.stream().anyMatch(line -> line.is("pam_slurm_adopt"))
        ? Finding.bad(
            id,
            "pam_slurm_adopt.so is in sshd's stack too: each of the two would move the process",
            "remove its line (docs/migrating-from-pam_slurm_adopt.md)")
        : Finding.good(id, "pam_slurm_adopt.so is not in sshd's stack");
  }

  private static String names(List<PamLine> lines) {
    return lines.stream().map(PamLine::module).distinct().collect(Collectors.joining(", "));
  }
}
