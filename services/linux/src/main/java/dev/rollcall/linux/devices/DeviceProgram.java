package dev.rollcall.linux.devices;

import dev.rollcall.linux.bpf.Assembler;
import dev.rollcall.linux.bpf.Assembler.Size;
import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRule.Access;
import dev.rollcall.model.allocation.DeviceRules;
import java.util.Set;

/**
 * Assembles the program that decides about one open or mknod. It calls no helper of the kernel.
 *
 * <p>With an allow-list an access is granted when the rules that match the device cover all of it,
 * each its part; with a deny-list it is refused when a matching rule names any of it.
 */
final class DeviceProgram {
  // struct bpf_cgroup_dev_ctx, linux/bpf.h: 0 access << 16 | type, 4 major, 8 minor.
  private static final int CONTEXT = 1;
  private static final int RESULT = 0;
  private static final int TYPE = 2;
  private static final int MAJOR = 4;
  private static final int MINOR = 5;
  private static final int ASKED = 6;
  private static final int SCRATCH = 7;

  private static final int BLOCK = 1;
  private static final int CHARACTER = 2;
  private static final int MKNOD = 1;
  private static final int READ = 2;
  private static final int WRITE = 4;
  private static final int ALL = MKNOD | READ | WRITE;

  private final Assembler code = new Assembler();
  private int labels;

  private DeviceProgram() {}

  /** Instructions for rules that are not OPEN. */
  static byte[] assemble(DeviceRules rules) {
    return new DeviceProgram().program(rules);
  }

  private byte[] program(DeviceRules rules) {
    code.load(Size.WORD, TYPE, CONTEXT, 0)
        .move(ASKED, TYPE)
        .and(TYPE, 0xffff)
        .shiftRight(ASKED, 16)
        .load(Size.WORD, MAJOR, CONTEXT, 4)
        .load(Size.WORD, MINOR, CONTEXT, 8);
    StandardDevices.RULES.forEach(this::allow);
    boolean allowList = rules.kind() == DeviceRules.Kind.ALLOW_LIST;
    rules.rules().forEach(allowList ? this::allow : this::deny);
    return code.set(RESULT, allowList ? 0 : 1).exit().bytes();
  }

  private void allow(DeviceRule rule) {
    String next = unlessMatching(rule);
    code.and(ASKED, ALL & ~bits(rule.access()))
        .jumpIfNotEqual(ASKED, 0, next)
        .set(RESULT, 1)
        .exit()
        .label(next);
  }

  private void deny(DeviceRule rule) {
    String next = unlessMatching(rule);
    code.move(SCRATCH, ASKED)
        .and(SCRATCH, bits(rule.access()))
        .jumpIfEqual(SCRATCH, 0, next)
        .set(RESULT, 0)
        .exit()
        .label(next);
  }

  /** Goes to the label when the device is none of the rule's. */
  private String unlessMatching(DeviceRule rule) {
    String next = "rule" + ++labels;
    switch (rule.type()) {
      case CHARACTER -> code.jumpIfNotEqual(TYPE, CHARACTER, next);
      case BLOCK -> code.jumpIfNotEqual(TYPE, BLOCK, next);
      case ALL -> {
        // Both kinds.
      }
    }
    rule.major().ifPresent(major -> code.jumpIfNotEqual(MAJOR, major, next));
    rule.minor().ifPresent(minor -> code.jumpIfNotEqual(MINOR, minor, next));
    return next;
  }

  private static int bits(Set<Access> access) {
    int bits = 0;
    for (Access each : access) {
      bits |=
          switch (each) {
            case READ -> READ;
            case WRITE -> WRITE;
            case MKNOD -> MKNOD;
          };
    }
    return bits;
  }
}
