package dev.rollcall.cli.doctor;

import java.util.List;

/** Finds users whose systemd instance runs without a session. */
public final class LingerCheck {
  private LingerCheck() {}

  /**
   * @param users the names in {@code /var/lib/systemd/linger}
   * @param userManager of agent.yaml
   */
  public static Finding of(List<String> users, String userManager) {
    String id = "linger";
    List<String> others = users.stream().filter(user -> !user.equals("root")).sorted().toList();
    if (others.isEmpty()) {
      return Finding.good(id, "lingering is enabled for no user");
    }
    return userManager.equals("report")
        ? Finding.warning(
            id,
            "lingering is enabled for "
                + String.join(", ", others)
                + ": processes that their systemd instances start are outside of their jobs",
            "loginctl disable-linger USER, or user_manager: adopt in agent.yaml")
        : Finding.good(
            id,
            "lingering is enabled for "
                + String.join(", ", others)
                + ", and user_manager is "
                + userManager);
  }
}
