package dev.rollcall.jobs.container;

import dev.rollcall.model.NamespaceType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the namespaces of a job other than its mount namespace. No process of several threads can
 * make all of them (unshare(2)), so a program does: services/container.
 *
 * @param maker the program
 * @param kinds without the mount namespace
 * @param patience after which it has failed
 * @param userMaps the site's maps of a user namespace; empty: only the job's user is mapped
 */
public record MoreNamespaces(
    Path maker, Set<NamespaceType> kinds, Duration patience, Optional<UserMaps> userMaps) {
  public MoreNamespaces {
    if (kinds.contains(NamespaceType.MOUNT)) {
      throw new IllegalArgumentException("a container has its mount namespace in any case");
    }
    EnumSet<NamespaceType> sorted = EnumSet.noneOf(NamespaceType.class);
    sorted.addAll(kinds);
    kinds = Collections.unmodifiableSet(sorted);
  }

  /** With only the job's user in a user namespace. */
  public MoreNamespaces(Path maker, Set<NamespaceType> kinds, Duration patience) {
    this(maker, kinds, patience, Optional.empty());
  }

  /** The program's patience, with the time of the site's script. */
  Duration patienceWithScript() {
    return patience.plus(userMaps.map(maps -> maps.script().patience()).orElse(Duration.ZERO));
  }

  /** Whether root is kept out: what it would find inside, the job's user may have arranged. */
  boolean areOwners() {
    return kinds.contains(NamespaceType.USER);
  }

  public static MoreNamespaces none() {
    return new MoreNamespaces(Path.of("/nonexistent"), Set.of(), Duration.ZERO);
  }
}
