package dev.rollcall.linux.bpf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes BPF instructions (RFC 9669). Registers are numbered: 0 holds results, 1 to 5 arguments and
 * are lost in a call, 6 to 9 stay, 10 is the frame pointer below which lie 512 bytes. Jumps go to
 * labels ahead.
 */
public final class Assembler {
  /** Width of a memory access. */
  public enum Size {
    BYTE(0x10),
    HALF(0x08),
    WORD(0x00),
    DOUBLE(0x18);

    private final int bits;

    Size(int bits) {
      this.bits = bits;
    }
  }

  private record Instruction(int op, int destination, int source, int offset, int immediate) {}

  private final List<Instruction> code = new ArrayList<>();
  private final Map<String, Integer> labels = new HashMap<>();
  private final Map<Integer, String> jumps = new HashMap<>(); // by the place of the jump

  public Assembler move(int destination, int source) {
    return add(0xbf, destination, source, 0, 0);
  }

  public Assembler set(int destination, int value) {
    return add(0xb7, destination, 0, 0, value);
  }

  public Assembler setLong(int destination, long value) {
    add(0x18, destination, 0, 0, (int) value);
    return add(0, 0, 0, 0, (int) (value >>> 32));
  }

  /** The map as the argument of a helper. */
  public Assembler setMap(int destination, BpfMap map) {
    add(0x18, destination, /* BPF_PSEUDO_MAP_FD */ 1, 0, map.descriptor());
    return add(0, 0, 0, 0, 0);
  }

  public Assembler add(int destination, int source) {
    return add(0x0f, destination, source, 0, 0);
  }

  public Assembler plus(int destination, int value) {
    return add(0x07, destination, 0, 0, value);
  }

  /** Keeps the bits of the value; a negative one is extended by its sign. */
  public Assembler and(int destination, int value) {
    return add(0x57, destination, 0, 0, value);
  }

  /** Shifts zeros in from above. */
  public Assembler shiftRight(int destination, int bits) {
    return add(0x77, destination, 0, 0, bits);
  }

  public Assembler minus(int destination, int source) {
    return add(0x1f, destination, source, 0, 0);
  }

  /** Between network and host order, the lower 32 bits. */
  public Assembler swapNetworkWord(int destination) {
    return add(0xdc, destination, 0, 0, 32);
  }

  public Assembler load(Size size, int destination, int source, int offset) {
    return add(0x61 | size.bits, destination, source, offset, 0);
  }

  public Assembler store(Size size, int destination, int offset, int source) {
    return add(0x63 | size.bits, destination, source, offset, 0);
  }

  public Assembler storeValue(Size size, int destination, int offset, int value) {
    return add(0x62 | size.bits, destination, 0, offset, value);
  }

  /** Adds to eight bytes of memory in one step, whatever other processors do. */
  public Assembler addAtomically(int destination, int offset, int source) {
    return add(0xdb, destination, source, offset, 0);
  }

  /** Calls a helper by its number, linux/bpf.h. */
  public Assembler call(int helper) {
    return add(0x85, 0, 0, 0, helper);
  }

  public Assembler jump(String label) {
    return to(label, 0x05, 0, 0, 0);
  }

  public Assembler jumpIfEqual(int register, int value, String label) {
    return to(label, 0x15, register, 0, value);
  }

  public Assembler jumpIfNotEqual(int register, int value, String label) {
    return to(label, 0x55, register, 0, value);
  }

  /** Compares as unsigned. */
  public Assembler jumpIfGreater(int register, int than, String label) {
    return to(label, 0x2d, register, than, 0);
  }

  public Assembler label(String name) {
    if (labels.putIfAbsent(name, code.size()) != null) {
      throw new IllegalStateException("label " + name + " is defined twice");
    }
    return this;
  }

  public Assembler exit() {
    return add(0x95, 0, 0, 0, 0);
  }

  /**
   * @throws IllegalStateException if a jump has no label ahead of it
   */
  public byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(code.size() * 8).order(ByteOrder.nativeOrder());
    for (int at = 0; at < code.size(); at++) {
      Instruction one = code.get(at);
      int offset = jumps.containsKey(at) ? distance(at) : one.offset;
      bytes.put((byte) one.op).put((byte) (one.destination | one.source << 4));
      bytes.putShort((short) offset).putInt(one.immediate);
    }
    return bytes.array();
  }

  private int distance(int at) {
    String label = jumps.get(at);
    Integer target = labels.get(label);
    if (target == null || target <= at) {
      throw new IllegalStateException("jump to " + label + ", which is not ahead");
    }
    return target - at - 1;
  }

  private Assembler to(String label, int op, int destination, int source, int value) {
    jumps.put(code.size(), label);
    return add(op, destination, source, 0, value);
  }

  private Assembler add(int op, int destination, int source, int offset, int immediate) {
    if (offset != (short) offset) {
      throw new IllegalStateException("offset " + offset + " does not fit an instruction");
    }
    code.add(new Instruction(op, destination, source, offset, immediate));
    return this;
  }
}
