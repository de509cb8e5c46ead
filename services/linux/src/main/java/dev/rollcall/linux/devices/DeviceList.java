package dev.rollcall.linux.devices;

import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRule.Access;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * Rules as the v1 controller keeps them: one for each pair of kind and numbers. The kernel takes
 * away only what is written with the very same numbers.
 *
 * @param access by kind and numbers, as in {@code c 240:*}
 */
record DeviceList(Map<String, Set<Access>> access) {
  DeviceList {
    access = new TreeMap<>(access);
  }

  static DeviceList of(List<DeviceRule> rules) {
    Map<String, Set<Access>> access = new TreeMap<>();
    for (DeviceRule rule : rules) {
      for (DeviceRule.Type type :
          rule.type() == DeviceRule.Type.ALL
              ? List.of(DeviceRule.Type.CHARACTER, DeviceRule.Type.BLOCK)
              : List.of(rule.type())) {
        String key = type.letter() + " " + number(rule.major()) + ":" + number(rule.minor());
        access.computeIfAbsent(key, _ -> EnumSet.noneOf(Access.class)).addAll(rule.access());
      }
    }
    return new DeviceList(access);
  }

  /** Reads {@code devices.list} of a cgroup that allows only what is listed. */
  static DeviceList parse(List<String> lines) {
    return of(lines.stream().map(DeviceRule::parse).toList());
  }

  private static String number(OptionalInt number) {
    return number.isPresent() ? Integer.toString(number.getAsInt()) : "*";
  }

  /** What is here and not there, as the kernel reads it. */
  List<String> without(DeviceList other) {
    List<String> lines = new ArrayList<>();
    access.forEach((device, mine) -> {
      Set<Access> left = EnumSet.copyOf(mine);
      left.removeAll(other.access.getOrDefault(device, Set.of()));
      if (!left.isEmpty()) {
        lines.add(line(device, left));
      }
    });
    return lines;
  }

  /** What of this list the other one allows too. */
  DeviceList within(DeviceList above) {
    Map<String, Set<Access>> left = new TreeMap<>();
    access.forEach((device, mine) -> {
      Set<Access> both = EnumSet.noneOf(Access.class);
      above.access.forEach((rule, theirs) -> {
        if (covers(rule, device)) {
          both.addAll(theirs);
        }
      });
      both.retainAll(mine);
      if (!both.isEmpty()) {
        left.put(device, both);
      }
    });
    return new DeviceList(left);
  }

  private static boolean covers(String rule, String device) {
    String[] mine = rule.split("[ :]", -1);
    String[] theirs = device.split("[ :]", -1);
    return mine[0].equals(theirs[0])
        && (mine[1].equals("*") || mine[1].equals(theirs[1]))
        && (mine[2].equals("*") || mine[2].equals(theirs[2]));
  }

  List<String> lines() {
    return without(new DeviceList(Map.of()));
  }

  private static String line(String device, Set<Access> access) {
    var letters = new StringBuilder();
    access.forEach(each -> letters.append(each.letter()));
    return device + " " + letters;
  }
}
