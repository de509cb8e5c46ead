package dev.rollcall.linux.execs;

import dev.rollcall.linux.bpf.Assembler;
import dev.rollcall.linux.bpf.Assembler.Size;
import dev.rollcall.linux.bpf.BpfMap;
import dev.rollcall.linux.execs.Fence.Post;

/**
 * Writes the program that runs at the raw tracepoint {@code sched_process_exec}: at the end of each
 * execve(2) that succeeds, in the process that called it. It costs a look at one hash map for
 * everybody, and for a watched user two more calls; only what is outside the fence is told. Its
 * helpers are open to programs of any licence.
 */
final class ExecProgram {
  static final String LICENSE = "Apache-2.0";
  static final String TRACEPOINT = "sched_process_exec";

  /** A record: u32 uid, u32 pid. */
  static final int RECORD_SIZE = 8;

  private static final int MAP_LOOKUP = 1;
  private static final int PID_TGID = 14;
  private static final int UID_GID = 15;
  private static final int ANCESTOR_CGROUP_ID = 123; // Linux 5.14 for this kind of program
  private static final int RINGBUF_OUTPUT = 130;
  private static final int FRAME = 10;
  private static final int RECORD = -RECORD_SIZE;
  private static final int KEY = RECORD - 8;

  private ExecProgram() {}

  /**
   * @param uids u32 to a byte: who is watched
   * @param lost one u64: records for which the ring had no room
   */
  static byte[] assemble(Fence fence, BpfMap uids, BpfMap ring, BpfMap lost) {
    var code = new Assembler();
    // The lower half is the uid, as the first user namespace has it.
    code.call(UID_GID).store(Size.WORD, FRAME, RECORD, 0);
    code.setMap(1, uids).move(2, FRAME).plus(2, RECORD).call(MAP_LOOKUP);
    code.jumpIfEqual(0, 0, "end");
    fence.within().ifPresent(post -> compare(code, post).jumpIfNotEqual(0, 0, "end"));
    compare(code, fence.except()).jumpIfEqual(0, 0, "end");
    code.call(PID_TGID).shiftRight(0, 32).store(Size.WORD, FRAME, RECORD + 4, 0);
    code.setMap(1, ring).move(2, FRAME).plus(2, RECORD).set(3, RECORD_SIZE);
    code.set(4, /* wake the reader if it waits */ 0).call(RINGBUF_OUTPUT);
    code.jumpIfEqual(0, 0, "end");
    code.storeValue(Size.WORD, FRAME, KEY, 0);
    code.setMap(1, lost).move(2, FRAME).plus(2, KEY).call(MAP_LOOKUP).jumpIfEqual(0, 0, "end");
    code.set(1, 1).addAtomically(0, 0, 1);
    return code.label("end").set(0, 0).exit().bytes();
  }

  /** Register 0 is 0 if the process is in the post's cgroup or below it. */
  private static Assembler compare(Assembler code, Post post) {
    return code.set(1, post.level()).call(ANCESTOR_CGROUP_ID).setLong(2, post.id()).minus(0, 2);
  }
}
