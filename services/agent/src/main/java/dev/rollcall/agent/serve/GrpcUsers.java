package dev.rollcall.agent.serve;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Knows the users who may connect to grpc.sock besides root: the key {@code grpc_users}. A name
 * that the node does not know admits nobody until it does. Thread-safe.
 */
public final class GrpcUsers {
  private static final System.Logger LOG = System.getLogger(GrpcUsers.class.getName());

  private static final Pattern NAME =
      Pattern.compile("[^-:/\\s\\p{Cntrl}][^:/\\s\\p{Cntrl}]{0,254}");
  private static final Pattern UID = Pattern.compile("[0-9]{1,10}");

  private final List<String> listed;
  private final Function<String, OptionalInt> uidOf;
  private final Counter refused;
  private volatile Set<Integer> uids = Set.of();
  private Set<String> unknown = Set.of();

  /**
   * @param listed names or uids
   * @param uidOf the uid of a name; empty if there is no such user. May block
   */
  public GrpcUsers(
      List<String> listed, Function<String, OptionalInt> uidOf, MeterRegistry registry) {
    this.listed = List.copyOf(listed);
    this.uidOf = uidOf;
    this.refused = registry.counter("rollcall.serve.refused", "reason", "not-listed");
  }

  /**
   * Returns a name or uid as it is written.
   *
   * @throws IllegalArgumentException if it cannot be one
   */
  public static String checked(String text) {
    if (!NAME.matcher(text).matches()) {
      throw new IllegalArgumentException("'" + text + "' is no user's name");
    }
    return text;
  }

  boolean isEmpty() {
    return listed.isEmpty();
  }

  /** Returns whether all are known; others are looked up again. Blocks as long as that takes. */
  public synchronized boolean lookUp() {
    Set<Integer> found = new HashSet<>();
    Set<String> missing = new TreeSet<>();
    for (String each : listed) {
      OptionalInt uid = uidOf.apply(each);
      if (uid.isPresent()) {
        found.add(uid.getAsInt());
      } else if (UID.matcher(each).matches()) {
        found.add((int) Long.parseLong(each));
      } else {
        missing.add(each);
      }
    }
    if (!missing.isEmpty() && !missing.equals(unknown)) {
      LOG.log(
          Level.WARNING,
          "grpc_users: this node has no user {0}; correct agent.yaml, or create the user",
          String.join(", ", missing));
    }
    unknown = missing;
    uids = Set.copyOf(found);
    return missing.isEmpty();
  }

  boolean admits(int uid) {
    boolean admitted = uids.contains(uid);
    if (!admitted) {
      refused.increment();
    }
    return admitted;
  }
}
