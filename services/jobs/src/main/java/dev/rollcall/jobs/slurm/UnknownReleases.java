package dev.rollcall.jobs.slurm;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Logs each release of step daemons that is not known once. */
final class UnknownReleases {
  private static final System.Logger LOG = System.getLogger(UnknownReleases.class.getName());

  private final Set<Integer> named = ConcurrentHashMap.newKeySet();

  void check(StepExtras extras) {
    if (!extras.isKnownRelease() && named.add(extras.release())) {
      LOG.log(System.Logger.Level.WARNING, extras.unknownRelease());
    }
  }
}
