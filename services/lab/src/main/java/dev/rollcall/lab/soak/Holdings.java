package dev.rollcall.lab.soak;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts the kernel's objects that an unused node has.
 *
 * @param jobs cgroups of jobs
 * @param processes in the node's part of the tree
 * @param mounts in its mount namespace
 * @param descriptors open in its agent
 * @param bpf programs, maps and links among them
 */
record Holdings(String node, int jobs, int processes, int mounts, int descriptors, int bpf) {
  /** A channel to a gateway or a client more or less is no leak, and one by one they grow. */
  static final int DESCRIPTORS_MORE = 24;

  /** What there is more now than before the soak. */
  List<Violation> leaks(Holdings before, long now) {
    var leaks = new ArrayList<Violation>();
    compare(leaks, now, "cgroups of jobs", 0, jobs);
    compare(leaks, now, "processes", before.processes, processes);
    compare(leaks, now, "mounts", before.mounts, mounts);
    compare(leaks, now, "descriptors", before.descriptors + DESCRIPTORS_MORE, descriptors);
    compare(leaks, now, "BPF objects", before.bpf, bpf);
    return leaks;
  }

  private void compare(List<Violation> into, long now, String what, int most, int seen) {
    if (seen > most) {
      into.add(new Violation("leak", now, node, "at most %d %s".formatted(most, what), "" + seen));
    }
  }
}
