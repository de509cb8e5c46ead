package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.proto.v1.Allocation;
import dev.rollcall.proto.v1.DeviceRules;
import dev.rollcall.proto.v1.DeviceRulesKind;
import dev.rollcall.testkit.process.Result;

/** A device that everybody may open, but not in a job that was not given it. */
final class DeviceScene {
  // Its number never changes (Documentation/admin-guide/devices.txt), and opening it does nothing.
  private static final String DEVICE = "/dev/loop-control";
  private static final String RULE = "c 10:237 rw";
  private static final String OPEN = "{ : <>" + DEVICE + "; } 2>&1 && echo open";

  private DeviceScene() {}

  static Outcome play(SystemdNode node) {
    node.root("modprobe loop; chmod 666 " + DEVICE);
    long start = System.nanoTime();
    String outside = word(node.outside(User.ALICE, OPEN));
    String denied = in(node, DeviceRulesKind.DEVICE_RULES_KIND_DENY_LIST, RULE);
    String given = in(node, DeviceRulesKind.DEVICE_RULES_KIND_ALLOW_LIST, RULE);
    String others = in(node, DeviceRulesKind.DEVICE_RULES_KIND_ALLOW_LIST, "c 195:* rw");
    return Outcome.compare(
        "outside open, denied refused, given open, given others refused",
        "outside %s, denied %s, given %s, given others %s"
            .formatted(outside, denied, given, others),
        (System.nanoTime() - start) / 1_000_000);
  }

  private static String in(SystemdNode node, DeviceRulesKind kind, String rule) {
    var rules = DeviceRules.newBuilder().setKind(kind).addRules(rule);
    try (NodeJob job = node.begin(User.ALICE, Allocation.newBuilder().setDevices(rules).build())) {
      return word(job.visit(OPEN));
    }
  }

  private static String word(Result tried) {
    if (tried.out().strip().equals("open")) {
      return "open";
    }
    return tried.out().contains("Operation not permitted")
        ? "refused"
        : (tried.out() + tried.err()).strip();
  }
}
