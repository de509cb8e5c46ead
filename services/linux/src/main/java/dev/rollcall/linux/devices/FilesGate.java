package dev.rollcall.linux.devices;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.DeviceRules.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Controls devices with cgroup v1: {@code devices.allow} and {@code devices.deny} of the devices
 * controller (Linux, cgroup-v1/devices). The kernel changes what a cgroup does by default only
 * while there are no cgroups below it; what it refuses above it refuses below at once, and what it
 * allows again above must be allowed again below.
 */
public final class FilesGate implements DeviceGate {
  private static final String ALLOW = "devices.allow";
  private static final String DENY = "devices.deny";
  private static final String EVERYTHING = "a *:* rwm";

  @Override
  public void set(CgroupDirectory cgroup, DeviceRules before, DeviceRules rules)
      throws IOException {
    if (before.kind() != rules.kind()
        && (before.kind() == Kind.ALLOW_LIST || rules.kind() == Kind.ALLOW_LIST)) {
      everything(rules.kind() == Kind.ALLOW_LIST ? DENY : ALLOW, cgroup);
    }
    if (rules.kind() == Kind.ALLOW_LIST) {
      change(cgroup, listed(cgroup), wanted(cgroup, rules));
    } else {
      deny(cgroup, before.kind() == Kind.DENY_LIST ? before.rules() : List.of(), rules.rules());
    }
  }

  @Override
  public boolean restore(CgroupDirectory cgroup, DeviceRules rules) throws IOException {
    boolean open = isOpen(cgroup);
    if (rules.kind() != Kind.ALLOW_LIST) {
      // What is refused is not shown: it is written again, which changes nothing if it is there.
      if (!open) {
        everything(ALLOW, cgroup);
      }
      deny(cgroup, List.of(), rules.rules());
      return open;
    }
    if (open) {
      everything(DENY, cgroup);
    }
    DeviceList found = listed(cgroup);
    DeviceList wanted = wanted(cgroup, rules);
    change(cgroup, found, wanted);
    return !open && found.equals(wanted);
  }

  /** What is refused above cannot be allowed, and is left out. */
  private static DeviceList wanted(CgroupDirectory cgroup, DeviceRules rules) throws IOException {
    DeviceList wanted =
        DeviceList.of(
            Stream.concat(StandardDevices.RULES.stream(), rules.rules().stream()).toList());
    Path parent = cgroup.path().getParent();
    if (parent == null || isOpen(new CgroupDirectory(parent))) {
      return wanted;
    }
    return wanted.within(listed(new CgroupDirectory(parent)));
  }

  private static boolean isOpen(CgroupDirectory cgroup) throws IOException {
    return Files.readAllLines(list(cgroup), US_ASCII).contains(EVERYTHING);
  }

  /** What is new first, so that nothing that both lists allow is refused in between. */
  private static void change(CgroupDirectory cgroup, DeviceList from, DeviceList to)
      throws IOException {
    for (CgroupDirectory each : following(cgroup, from)) {
      write(ALLOW, each, to.without(from));
    }
    write(DENY, cgroup, from.without(to));
  }

  private static void deny(CgroupDirectory cgroup, List<DeviceRule> from, List<DeviceRule> to)
      throws IOException {
    for (DeviceRule rule : to) {
      exceptNoStandardDevice(rule, cgroup);
    }
    DeviceList old = DeviceList.of(from);
    DeviceList wanted = DeviceList.of(to);
    write(DENY, cgroup, wanted.lines());
    List<String> again = old.without(wanted);
    cgroup.walk(each -> write(ALLOW, each, again));
  }

  /** The kernel takes an exception back only with the numbers of the exception. */
  private static void exceptNoStandardDevice(DeviceRule rule, CgroupDirectory cgroup)
      throws IOException {
    for (DeviceRule base : StandardDevices.RULES) {
      if (rule.type() != DeviceRule.Type.BLOCK
          && meets(rule.major(), base.major())
          && meets(rule.minor(), base.minor())) {
        throw new IOException(
            "write %s to %s/%s: it would also refuse %s, which every program needs"
                .formatted(rule, cgroup, DENY, base));
      }
    }
  }

  private static boolean meets(OptionalInt one, OptionalInt other) {
    return one.isEmpty() || other.isEmpty() || one.getAsInt() == other.getAsInt();
  }

  /** The cgroup and those below it that have its list, and not one of their own. */
  private static List<CgroupDirectory> following(CgroupDirectory cgroup, DeviceList list)
      throws IOException {
    List<CgroupDirectory> found = new ArrayList<>(List.of(cgroup));
    for (int next = 0; next < found.size(); next++) {
      for (CgroupDirectory child : found.get(next).children()) {
        if (listed(child).equals(list)) {
          found.add(child);
        }
      }
    }
    return found;
  }

  private static void everything(String file, CgroupDirectory cgroup) throws IOException {
    if (!cgroup.children().isEmpty()) {
      throw new IOException(
          "write %s to %s/%s: cgroup v1 changes the default only while the cgroup has no children"
              .formatted(EVERYTHING, cgroup, file));
    }
    cgroup.write(file, EVERYTHING);
  }

  private static void write(String file, CgroupDirectory cgroup, List<String> lines)
      throws IOException {
    for (String line : lines) {
      cgroup.write(file, line);
    }
  }

  private static DeviceList listed(CgroupDirectory cgroup) throws IOException {
    return DeviceList.parse(Files.readAllLines(list(cgroup), US_ASCII));
  }

  private static Path list(CgroupDirectory cgroup) {
    return cgroup.path().resolve("devices.list");
  }
}
