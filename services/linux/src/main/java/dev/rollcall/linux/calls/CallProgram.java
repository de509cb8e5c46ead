/*
 * SPDX-License-Identifier: MIT
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this file, to deal
 * in it without restriction, under the terms of the MIT License; it is provided "as is", without
 * warranty of any kind. It assembles the sock_ops program, which is loaded as "Dual MIT/GPL"
 * because the kernel's helpers that it calls are for such programs only: see NOTICE.
 */
package dev.rollcall.linux.calls;

import dev.rollcall.linux.bpf.Assembler;
import dev.rollcall.linux.bpf.Assembler.Size;
import dev.rollcall.linux.bpf.BpfMap;
import dev.rollcall.linux.calls.ProgramVariant.NetnsKey;

/**
 * Writes the sock_ops program. It runs in connect() of TCP, after the ports are chosen and before
 * the SYN leaves: it records who calls, and tells the agent of calls to announced ports of cluster
 * addresses, as long as the user's bucket allows.
 */
final class CallProgram {
  static final String LICENSE = "Dual MIT/GPL";

  private static final int MAP_LOOKUP = 1;
  private static final int MAP_UPDATE = 2;
  private static final int KTIME = 5;
  private static final int SOCKET_COOKIE = 46;
  private static final int NETNS_COOKIE = 122;
  private static final int RINGBUF_OUTPUT = 130;

  // struct bpf_sock_ops, linux/bpf.h.
  private static final int OP = 0;
  private static final int FAMILY = 20;
  private static final int REMOTE_IP4 = 24;
  private static final int LOCAL_IP4 = 28;
  private static final int REMOTE_IP6 = 32;
  private static final int LOCAL_IP6 = 48;
  private static final int CTX_REMOTE_PORT = 64; // in network order
  private static final int CTX_LOCAL_PORT = 68; // in host order
  private static final int SK = 184;
  private static final int TCP_CONNECT_CB = 3;
  private static final int AF_INET6 = 10;

  // The frame: the record, then what the helpers need.
  private static final int FRAME = 10;
  private static final int KEY = -CallLayout.RECORD_SIZE;
  private static final int VALUE = KEY + CallLayout.KEY_SIZE;
  private static final int SCRATCH = KEY - 8;
  private static final int PREFIX = SCRATCH - 24;
  private static final int SMALL_KEY = PREFIX - 8; // u32: port, uid, or place of a counter
  private static final int LOWEST = -512;

  private static final int CONTEXT = 6;

  private final Assembler code = new Assembler();
  private final CallMaps maps;
  private final KernelOffsets offsets;
  private final ProgramVariant variant;
  private final CallLimits limits;

  private CallProgram(
      CallMaps maps, KernelOffsets offsets, ProgramVariant variant, CallLimits limits) {
    this.maps = maps;
    this.offsets = offsets;
    this.variant = variant;
    this.limits = limits;
  }

  static byte[] assemble(
      CallMaps maps, KernelOffsets offsets, ProgramVariant variant, CallLimits limits) {
    return new CallProgram(maps, offsets, variant, limits).write();
  }

  private byte[] write() {
    code.move(CONTEXT, 1);
    code.load(Size.WORD, 7, CONTEXT, OP).jumpIfNotEqual(7, TCP_CONNECT_CB, "end");
    for (int at = 0; at < CallLayout.RECORD_SIZE; at += 8) {
      code.storeValue(Size.DOUBLE, FRAME, KEY + at, 0);
    }
    namespace();
    lookUp(maps.trusted(), KEY + CallLayout.NETNS).jumpIfEqual(0, 0, "end");
    connection();
    caller();
    update(maps.calls(), KEY, VALUE);
    onlyAnnounced();
    takeFromBucket();
    code.label("tell");
    output(KEY, CallLayout.RECORD_SIZE).jumpIfEqual(0, 0, "end");
    code.label("lost");
    countLost();
    // With 0 the other operations of this hook would be refused, also those that other programs
    // attached beside this one have answered.
    return code.label("end").set(0, 1).exit().bytes();
  }

  /** Always the socket's: a task may be handed a socket of a namespace that it is not in. */
  private void namespace() {
    if (variant.netns() == NetnsKey.COOKIE) {
      code.move(1, CONTEXT).call(NETNS_COOKIE);
    } else {
      // No arithmetic is allowed on a socket, so all of it up to the member is copied.
      int length = offsets.sockNet() + 8;
      int copy = SMALL_KEY - (length + 7 & ~7);
      if (copy < LOWEST) {
        throw new IllegalStateException("sock.skc_net at " + offsets.sockNet() + " is too far");
      }
      code.load(Size.DOUBLE, 3, CONTEXT, SK).jumpIfEqual(3, 0, "end");
      TaskReader.probe(code, copy, length);
      code.load(Size.DOUBLE, 3, FRAME, copy + offsets.sockNet()).plus(3, offsets.netInode());
      TaskReader.probe(code, SCRATCH, 4);
      code.load(Size.WORD, 0, FRAME, SCRATCH);
    }
    code.store(Size.DOUBLE, FRAME, KEY + CallLayout.NETNS, 0);
  }

  private void connection() {
    int local = KEY + CallLayout.LOCAL_ADDRESS;
    int remote = KEY + CallLayout.REMOTE_ADDRESS;
    copy(Size.WORD, CTX_LOCAL_PORT).store(Size.HALF, FRAME, KEY + CallLayout.LOCAL_PORT, 0);
    copy(Size.WORD, CTX_REMOTE_PORT).swapNetworkWord(0);
    code.store(Size.HALF, FRAME, KEY + CallLayout.REMOTE_PORT, 0);
    copy(Size.WORD, FAMILY).jumpIfEqual(0, AF_INET6, "ipv6");
    for (int address : new int[] {local, remote}) {
      code.storeValue(Size.HALF, FRAME, address + 10, -1);
    }
    copy(Size.WORD, LOCAL_IP4).store(Size.WORD, FRAME, local + 12, 0);
    copy(Size.WORD, REMOTE_IP4).store(Size.WORD, FRAME, remote + 12, 0);
    code.jump("addressed").label("ipv6");
    for (int at = 0; at < 16; at += 4) {
      copy(Size.WORD, LOCAL_IP6 + at).store(Size.WORD, FRAME, local + at, 0);
      copy(Size.WORD, REMOTE_IP6 + at).store(Size.WORD, FRAME, remote + at, 0);
    }
    code.label("addressed");
  }

  private Assembler copy(Size size, int contextField) {
    return code.load(size, 0, CONTEXT, contextField);
  }

  private void caller() {
    code.call(KTIME).store(Size.DOUBLE, FRAME, VALUE + CallLayout.CALLED_AT, 0);
    code.move(1, CONTEXT).call(SOCKET_COOKIE);
    code.store(Size.DOUBLE, FRAME, VALUE + CallLayout.SOCKET_COOKIE, 0);
    new TaskReader(code, offsets, variant.task(), VALUE, SCRATCH).write();
  }

  private void onlyAnnounced() {
    code.load(Size.HALF, 0, FRAME, KEY + CallLayout.REMOTE_PORT);
    code.store(Size.WORD, FRAME, SMALL_KEY, 0);
    lookUp(maps.ports(), SMALL_KEY).jumpIfEqual(0, 0, "end");
    code.storeValue(Size.WORD, FRAME, PREFIX, 128);
    for (int at = 0; at < 16; at += 4) {
      code.load(Size.WORD, 0, FRAME, KEY + CallLayout.REMOTE_ADDRESS + at);
      code.store(Size.WORD, FRAME, PREFIX + CallLayout.PREFIX_ADDRESS + at, 0);
    }
    lookUp(maps.prefixes(), PREFIX).jumpIfEqual(0, 0, "end");
    code.load(Size.BYTE, 0, 0, 0).jumpIfEqual(0, 0, "end");
  }

  /**
   * A bucket is one number: the time at which it is full again. A call may be told while that is
   * less than a burst's worth of intervals ahead, and puts it one interval further. Processors that
   * race for one user may let one call too many through each, and lose none from the count.
   */
  private void takeFromBucket() {
    int interval = Math.toIntExact(limits.interval().toNanos());
    code.load(Size.WORD, 0, FRAME, VALUE + CallLayout.UID).store(Size.WORD, FRAME, SMALL_KEY, 0);
    lookUp(maps.buckets(), SMALL_KEY).load(Size.DOUBLE, 7, FRAME, VALUE + CallLayout.CALLED_AT);
    code.jumpIfNotEqual(0, 0, "bucket");
    code.plus(7, interval).store(Size.DOUBLE, FRAME, SCRATCH, 7);
    update(maps.buckets(), SMALL_KEY, SCRATCH).jump("tell");

    code.label("bucket").load(Size.DOUBLE, 1, 0, 0).jumpIfGreater(1, 7, "filling");
    code.plus(7, interval).store(Size.DOUBLE, 0, 0, 7).jump("tell");

    code.label("filling").minus(1, 7).setLong(2, (long) interval * (limits.burst() - 1));
    code.jumpIfGreater(1, 2, "lost");
    code.set(1, interval).addAtomically(0, 0, 1);
  }

  /** Counts, and unless such a record is on its way, says so: else an idle agent would not look. */
  private void countLost() {
    code.storeValue(Size.WORD, FRAME, SMALL_KEY, CallLayout.LOST);
    lookUp(maps.counters(), SMALL_KEY).jumpIfEqual(0, 0, "end");
    code.set(1, 1).addAtomically(0, 0, 1);
    code.storeValue(Size.WORD, FRAME, SMALL_KEY, CallLayout.LOST_PENDING);
    lookUp(maps.counters(), SMALL_KEY).jumpIfEqual(0, 0, "end").move(9, 0);
    code.load(Size.DOUBLE, 1, 9, 0).jumpIfNotEqual(1, 0, "end");
    code.storeValue(Size.DOUBLE, 9, 0, 1).storeValue(Size.DOUBLE, FRAME, SCRATCH, 0);
    output(SCRATCH, CallLayout.LOST_RECORD_SIZE).jumpIfEqual(0, 0, "end");
    code.storeValue(Size.DOUBLE, 9, 0, 0); // the ring is full: its reader looks when it has drained
  }

  private Assembler lookUp(BpfMap map, int key) {
    return code.setMap(1, map).move(2, FRAME).plus(2, key).call(MAP_LOOKUP);
  }

  private Assembler update(BpfMap map, int key, int value) {
    code.setMap(1, map).move(2, FRAME).plus(2, key).move(3, FRAME).plus(3, value);
    return code.set(4, /* BPF_ANY */ 0).call(MAP_UPDATE);
  }

  private Assembler output(int record, int length) {
    code.setMap(1, maps.ring()).move(2, FRAME).plus(2, record).set(3, length);
    return code.set(4, /* wake the reader if it waits */ 0).call(RINGBUF_OUTPUT);
  }
}
