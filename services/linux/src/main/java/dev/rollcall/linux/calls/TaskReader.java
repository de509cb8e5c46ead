/*
 * SPDX-License-Identifier: MIT
 *
 * Part of what assembles the sock_ops program, which is loaded as "Dual MIT/GPL": see NOTICE.
 */
package dev.rollcall.linux.calls;

import dev.rollcall.linux.bpf.Assembler;
import dev.rollcall.linux.bpf.Assembler.Size;
import dev.rollcall.linux.calls.ProgramVariant.TaskAccess;

/**
 * Writes the instructions that fill a call's value from the current task.
 *
 * @param value where the value is, from the frame pointer
 * @param scratch eight bytes that may be used, from the frame pointer
 */
record TaskReader(
    Assembler code, KernelOffsets offsets, TaskAccess access, int value, int scratch) {
  private static final int GET_CURRENT_TASK = 35;
  private static final int PROBE_READ_KERNEL = 113;
  private static final int GET_CURRENT_TASK_BTF = 158;
  private static final int FRAME = 10;
  private static final int TASK = 8; // the register that holds the task
  private static final int CGROUPS = 9; // and its css_set

  /** Uses registers 0 to 5, 8 and 9. */
  void write() {
    code.call(access == TaskAccess.BTF ? GET_CURRENT_TASK_BTF : GET_CURRENT_TASK).move(TASK, 0);
    read(Size.WORD, 0, TASK, offsets.taskTgid());
    code.store(Size.WORD, FRAME, value + CallLayout.TGID, 0);
    // A thread other than the leader has a start time of its own; /proc/PID shows the leader's.
    read(Size.DOUBLE, 0, TASK, offsets.taskLeader());
    read(Size.DOUBLE, 0, 0, offsets.taskStart());
    code.store(Size.DOUBLE, FRAME, value + CallLayout.STARTED_AT, 0);
    read(Size.DOUBLE, 0, TASK, offsets.taskCred());
    read(Size.WORD, 0, 0, offsets.credUid());
    code.store(Size.WORD, FRAME, value + CallLayout.UID, 0);
    read(Size.DOUBLE, CGROUPS, TASK, offsets.taskCgroups());
    read(Size.DOUBLE, 0, CGROUPS, offsets.cgroupsDefault());
    idOfCgroup(CallLayout.CGROUP_V2);
    offsets
        .freezerState()
        .ifPresent(state -> {
          read(Size.DOUBLE, 0, CGROUPS, state);
          read(Size.DOUBLE, 0, 0, offsets.stateCgroup());
          idOfCgroup(CallLayout.CGROUP_V1);
        });
  }

  private void idOfCgroup(int field) {
    read(Size.DOUBLE, 0, 0, offsets.cgroupNode());
    read(Size.DOUBLE, 0, 0, offsets.nodeId());
    code.store(Size.DOUBLE, FRAME, value + field, 0);
  }

  private void read(Size size, int destination, int source, int offset) {
    if (access == TaskAccess.BTF) {
      code.load(size, destination, source, offset);
    } else {
      code.move(3, source).plus(3, offset);
      probe(code, scratch, size == Size.WORD ? 4 : 8);
      code.load(size, destination, FRAME, scratch);
    }
  }

  /** Copies kernel memory from the address in register 3 to the frame; zeroes if it cannot. */
  static void probe(Assembler code, int to, int length) {
    code.storeValue(Size.DOUBLE, FRAME, to, 0);
    code.move(1, FRAME).plus(1, to).set(2, length).call(PROBE_READ_KERNEL);
  }
}
