/*
 * SPDX-License-Identifier: MIT
 *
 * Part of what assembles the sock_ops program, which is loaded as "Dual MIT/GPL": see NOTICE.
 */
package dev.rollcall.linux.calls;

import dev.rollcall.linux.bpf.Btf;
import dev.rollcall.linux.bpf.MalformedBtfException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * The offsets in the running kernel's structures that the program reads, in bytes.
 *
 * @param freezerState the pointer to the task's freezer state in css_set; empty in a kernel without
 *     that controller
 */
record KernelOffsets(
    int taskTgid,
    int taskLeader,
    int taskStart,
    int taskCred,
    int credUid,
    int taskCgroups,
    int cgroupsDefault,
    OptionalInt freezerState,
    int stateCgroup,
    int cgroupNode,
    int nodeId,
    int sockNet,
    int netInode) {

  static KernelOffsets read(Path btf) throws IOException {
    Btf kernel = Btf.read(btf);
    // Called real_start_time until 5.5.
    String start =
        kernel.has("task_struct", "start_boottime") ? "start_boottime" : "real_start_time";
    return new KernelOffsets(
        kernel.offset("task_struct", "tgid"),
        kernel.offset("task_struct", "group_leader"),
        kernel.offset("task_struct", start),
        kernel.offset("task_struct", "cred"),
        kernel.offset("cred", "uid"),
        kernel.offset("task_struct", "cgroups"),
        kernel.offset("css_set", "dfl_cgrp"),
        freezer(kernel),
        kernel.offset("cgroup_subsys_state", "cgroup"),
        kernel.offset("cgroup", "kn"),
        kernel.offset("kernfs_node", "id"),
        kernel.offset("sock", "__sk_common.skc_net.net"),
        kernel.offset("net", "ns.inum"));
  }

  private static OptionalInt freezer(Btf kernel) throws IOException {
    int states = kernel.offset("css_set", "subsys");
    try {
      return OptionalInt.of(states + Long.BYTES * kernel.enumerator("freezer_cgrp_id"));
    } catch (MalformedBtfException e) {
      return OptionalInt.empty();
    }
  }
}
