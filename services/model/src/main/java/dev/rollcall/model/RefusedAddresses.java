package dev.rollcall.model;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The addresses of a node that its gateway does not accept as the node's own.
 *
 * @param shown at most {@link #MOST_SHOWN}
 * @param more how many there are beside these
 */
public record RefusedAddresses(List<Refused> shown, int more) {
  public static final int MOST_SHOWN = 64;
  public static final int LONGEST_REASON = 200;
  public static final RefusedAddresses NONE = new RefusedAddresses(List.of(), 0);

  /** Addresses that a line of a log names. */
  private static final int NAMED = 8;

  /**
   * @param reason for people: "it is a gateway's"
   */
  public record Refused(InetAddress address, String reason) {}

  public RefusedAddresses {
    shown = List.copyOf(shown);
  }

  /** As many as there is room for, and the number of the others. */
  public static RefusedAddresses of(List<Refused> all, int more) {
    int shown = Math.min(all.size(), MOST_SHOWN);
    return new RefusedAddresses(all.subList(0, shown), all.size() - shown + more);
  }

  public int count() {
    return shown.size() + more;
  }

  /** Their number, and the first of them with the reasons, for people. */
  @Override
  public String toString() {
    return "%d address%s not accepted: %s%s"
        .formatted(
            count(),
            count() == 1 ? " is" : "es are",
            shown.stream()
                .limit(NAMED)
                .map(each -> AddressText.of(each.address()) + " (" + each.reason() + ")")
                .collect(Collectors.joining(", ")),
            count() > Math.min(shown.size(), NAMED) ? ", …" : "");
  }
}
