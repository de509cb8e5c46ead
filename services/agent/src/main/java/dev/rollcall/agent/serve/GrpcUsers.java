package dev.rollcall.agent.serve;

import dev.rollcall.agent.event.StageHealth;
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
  private volatile Set<String> unknown = Set.of();

  /**
   * @param listed names or uids
   * @param uidOf the uid of a name; empty if there is no such user. May block
   */
  public GrpcUsers(
      List<String> listed, Function<String, OptionalInt> uidOf, MeterRegistry registry) {
    this.listed = List.copyOf(listed);
    this.uidOf = uidOf;
    this.refused = registry.counter("rollcall.serve.refused", "reason", "not-listed");
    registry.gauge("rollcall.serve.grpc.users.unknown", this, users -> users.unknown.size());
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

  /** Looks all up, and returns whether they are known. Blocks as long as that takes. */
  public synchronized StageHealth lookUp() {
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
    String detail =
        missing.isEmpty()
            ? "this node has all users whom grpc_users lists"
            : "grpc_users: this node has no user %s; correct agent.yaml, or create the user"
                .formatted(String.join(", ", missing));
    if (!missing.isEmpty() && !missing.equals(unknown)) {
      LOG.log(Level.WARNING, detail);
    }
    unknown = missing;
    uids = Set.copyOf(found);
    return new StageHealth("grpc-users", false, missing.isEmpty(), detail);
  }

  boolean admits(int uid) {
    boolean admitted = uids.contains(uid);
    if (!admitted) {
      refused.increment();
    }
    return admitted;
  }
}
