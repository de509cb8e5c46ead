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
import dev.rollcall.linux.calls.ProgramVariant.NetnsKey;
import java.util.Set;

/**
 * Writes the sock_ops program. It runs in connect() of TCP, after the ports are chosen and before
 * the SYN leaves: it records who calls, and tells the agent of calls to announced ports of cluster
 * addresses, as {@link Announcing} says. It also runs when a connection of somebody else to this
 * node stands, and tells that there is one if it is to an announced port.
 */
final class CallProgram {
  static final String LICENSE = "Dual MIT/GPL";

  static final int KTIME = 5;
  private static final int SOCKET_COOKIE = 46;
  private static final int NETNS_COOKIE = 122;

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
  private static final int PASSIVE_ESTABLISHED_CB = 5;
  private static final int AF_INET6 = 10;

  // The frame: the record, then what the helpers need.
  static final int FRAME = 10;
  static final int KEY = -CallLayout.RECORD_SIZE;
  static final int VALUE = KEY + CallLayout.KEY_SIZE;
  static final int SCRATCH = KEY - 8;
  private static final int PREFIX = SCRATCH - 24;
  static final int SMALL_KEY = PREFIX - 8; // u32: port, or place of a counter; or a bucket's key
  static final int LONG = PREFIX; // 16 bytes, once the prefix was looked up
  private static final int LOWEST = -512;

  private static final int CONTEXT = 6;

  private final Assembler code = new Assembler();
  private final MapCode map = new MapCode(code);
  private final CallMaps maps;
  private final KernelOffsets offsets;
  private final ProgramVariant variant;
  private final CallLimits limits;
  private final Set<Integer> watchedPorts;

  private CallProgram(
      CallMaps maps,
      KernelOffsets offsets,
      ProgramVariant variant,
      CallLimits limits,
      Set<Integer> watchedPorts) {
    this.maps = maps;
    this.offsets = offsets;
    this.variant = variant;
    this.limits = limits;
    this.watchedPorts = watchedPorts;
  }

  static byte[] assemble(
      CallMaps maps,
      KernelOffsets offsets,
      ProgramVariant variant,
      CallLimits limits,
      Set<Integer> watchedPorts) {
    return new CallProgram(maps, offsets, variant, limits, watchedPorts).write();
  }

  private byte[] write() {
    code.move(CONTEXT, 1);
    code.load(Size.WORD, 7, CONTEXT, OP).jumpIfEqual(7, PASSIVE_ESTABLISHED_CB, "arrived");
    code.jumpIfNotEqual(7, TCP_CONNECT_CB, "end");
    for (int at = 0; at < CallLayout.RECORD_SIZE; at += 8) {
      code.storeValue(Size.DOUBLE, FRAME, KEY + at, 0);
    }
    namespace();
    map.lookUp(maps.trusted(), KEY + CallLayout.NETNS).jumpIfEqual(0, 0, "end");
    connection();
    caller();
    map.update(maps.calls(), KEY, VALUE);
    if (!watchedPorts.isEmpty()) {
      countWatched();
    }
    onlyAnnounced();
    new Announcing(code, maps, limits.quiet()).write();
    code.jump("end").label("arrived");
    arrival();
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

  /** Of whom is not said, and of many within a short time only the first: it costs a wake-up. */
  private void arrival() {
    copy(Size.WORD, CTX_LOCAL_PORT).store(Size.WORD, FRAME, SMALL_KEY, 0);
    map.lookUp(maps.ports(), SMALL_KEY).jumpIfEqual(0, 0, "end");
    code.storeValue(Size.WORD, FRAME, SMALL_KEY, 0);
    map.lookUp(maps.arrival(), SMALL_KEY).jumpIfEqual(0, 0, "end").move(7, 0);
    code.call(KTIME).load(Size.DOUBLE, 1, 7, 0);
    code.plus(1, Math.toIntExact(limits.arrivals().toNanos())).jumpIfGreater(1, 0, "end");
    code.store(Size.DOUBLE, 7, 0, 0);
    for (int at = 0; at < CallLayout.ARRIVAL_SIZE; at += 8) {
      code.storeValue(Size.DOUBLE, FRAME, KEY + at, 0);
    }
    map.output(maps.ring(), KEY, CallLayout.ARRIVAL_SIZE);
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

  /** Counts a call to a watched port for the caller's cgroups; the agent reads that later. */
  private void countWatched() {
    code.load(Size.HALF, 1, FRAME, KEY + CallLayout.REMOTE_PORT);
    watchedPorts.stream().sorted().forEach(port -> code.jumpIfEqual(1, port, "watched"));
    code.jump("counted").label("watched");
    code.store(Size.DOUBLE, FRAME, PREFIX + CallLayout.WATCHED_PORT, 1);
    code.load(Size.DOUBLE, 1, FRAME, VALUE + CallLayout.CGROUP_V2);
    code.store(Size.DOUBLE, FRAME, PREFIX + CallLayout.WATCHED_V2, 1);
    code.load(Size.DOUBLE, 1, FRAME, VALUE + CallLayout.CGROUP_V1);
    code.store(Size.DOUBLE, FRAME, PREFIX + CallLayout.WATCHED_V1, 1);
    map.lookUp(maps.watched(), PREFIX).jumpIfNotEqual(0, 0, "number");
    code.storeValue(Size.DOUBLE, FRAME, SCRATCH, 0);
    map.insert(maps.watched(), PREFIX, SCRATCH);
    map.lookUp(maps.watched(), PREFIX).jumpIfNotEqual(0, 0, "number");
    code.storeValue(Size.WORD, FRAME, SMALL_KEY, CallLayout.UNCOUNTED);
    map.lookUp(maps.counters(), SMALL_KEY).jumpIfEqual(0, 0, "counted");
    code.label("number").set(1, 1).addAtomically(0, 0, 1).label("counted");
  }

  private void onlyAnnounced() {
    code.load(Size.HALF, 0, FRAME, KEY + CallLayout.REMOTE_PORT);
    code.store(Size.WORD, FRAME, SMALL_KEY, 0);
    map.lookUp(maps.ports(), SMALL_KEY).jumpIfEqual(0, 0, "end");
    code.load(Size.BYTE, 1, 0, 0).store(Size.WORD, FRAME, SMALL_KEY + CallLayout.BUCKET_RATE, 1);
    code.storeValue(Size.WORD, FRAME, PREFIX, 128);
    for (int at = 0; at < 16; at += 4) {
      code.load(Size.WORD, 0, FRAME, KEY + CallLayout.REMOTE_ADDRESS + at);
      code.store(Size.WORD, FRAME, PREFIX + CallLayout.PREFIX_ADDRESS + at, 0);
    }
    map.lookUp(maps.prefixes(), PREFIX).jumpIfEqual(0, 0, "end");
    code.load(Size.BYTE, 0, 0, 0).jumpIfEqual(0, 0, "end");
  }
}
