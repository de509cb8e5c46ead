package dev.rollcall.cli.doctor;

import java.util.List;

/** Checks settings of systemd that harm jobs. */
public final class SystemdChecks {
  private SystemdChecks() {}

  /**
   * Checks whether logind removes shared memory of running jobs: no job is a session of logind.
   *
   * @param property as {@code busctl get-property} prints it: {@code b true}
   */
  public static Finding removeIpc(String property, List<PamLine> stack) {
    String id = "logind.removeipc";
    boolean registers =
        stack.stream().anyMatch(line -> line.is("pam_systemd") && line.type().equals("session"));
    if (!property.strip().equals("b true")) {
      return Finding.good(id, "RemoveIPC of logind is no");
    }
    return registers
        ? Finding.bad(
            id,
            "RemoveIPC of logind is yes: the end of a user's last ssh session deletes the shared"
                + " memory of their running jobs",
            "set RemoveIPC=no in a file of /etc/systemd/logind.conf.d, and restart systemd-logind")
        : Finding.good(id, "sshd's stack has no pam_systemd.so, so logind knows no session");
  }

  /**
   * Checks the value that sshd's sessions inherit.
   *
   * @param properties as {@code systemctl show} prints them: {@code OOMScoreAdjust=0}
   */
  public static Finding oomScore(List<String> properties) {
    String id = "sshd.oomscoreadjust";
    return properties.stream()
        .filter(line -> line.startsWith("OOMScoreAdjust=") && !line.endsWith("=0"))
        .findFirst()
        .map(line ->
            Finding.warning(
                id,
                line + " is set for sshd: sessions without a job inherit it",
                "remove OOMScoreAdjust from the unit; sshd protects its own process"))
        .orElseGet(() -> Finding.good(id, "sshd's unit sets no OOMScoreAdjust"));
  }
}
