/*
 * SPDX-License-Identifier: MIT
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this file, to deal
 * in it without restriction, under the terms of the MIT License; it is provided "as is", without
 * warranty of any kind. It assembles the sock_ops program, which is loaded as "Dual MIT/GPL"
 * because the kernel's helpers that it calls are for such programs only: see NOTICE.
 */
package dev.rollcall.linux.calls;

import static dev.rollcall.linux.calls.CallProgram.FRAME;

import dev.rollcall.linux.bpf.Assembler;
import dev.rollcall.linux.bpf.BpfMap;

/** Calls of the kernel's helpers for maps; keys, values and records are places in the frame. */
record MapCode(Assembler code) {
  private static final int MAP_LOOKUP = 1;
  private static final int MAP_UPDATE = 2;
  private static final int MAP_DELETE = 3;
  private static final int RINGBUF_OUTPUT = 130;

  Assembler lookUp(BpfMap map, int key) {
    return code.setMap(1, map).move(2, FRAME).plus(2, key).call(MAP_LOOKUP);
  }

  Assembler update(BpfMap map, int key, int value) {
    return update(map, key, value, /* BPF_ANY */ 0);
  }

  /** Leaves a key that is there as it is. */
  Assembler insert(BpfMap map, int key, int value) {
    return update(map, key, value, /* BPF_NOEXIST */ 1);
  }

  private Assembler update(BpfMap map, int key, int value, int flags) {
    code.setMap(1, map).move(2, FRAME).plus(2, key).move(3, FRAME).plus(3, value);
    return code.set(4, flags).call(MAP_UPDATE);
  }

  Assembler delete(BpfMap map, int key) {
    return code.setMap(1, map).move(2, FRAME).plus(2, key).call(MAP_DELETE);
  }

  Assembler output(BpfMap ring, int record, int length) {
    code.setMap(1, ring).move(2, FRAME).plus(2, record).set(3, length);
    return code.set(4, /* wake the reader if it waits */ 0).call(RINGBUF_OUTPUT);
  }
}
