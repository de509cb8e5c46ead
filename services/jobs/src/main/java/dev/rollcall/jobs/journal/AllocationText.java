package dev.rollcall.jobs.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.CpuMax;
import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.IoMax;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.allocation.NumberList;
import dev.rollcall.model.allocation.Rlimit;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * An allocation as words of a journal line: {@code memory_max=4294967296 cpus=0-3 env=NAME=VALUE}.
 * What is absent has no word. Values are percent-encoded, so that a word has neither spaces nor
 * newlines and is ASCII. Words of a later version are left out.
 */
final class AllocationText {
  private AllocationText() {}

  static List<String> of(Allocation allocation) {
    List<String> words = new ArrayList<>(of(allocation.limits()));
    DeviceRules devices = allocation.devices();
    if (devices.kind() != DeviceRules.Kind.OPEN) {
      words.add(word("devices", devices.kind().name()));
      devices.rules().forEach(rule -> words.add(word("device", rule)));
    }
    new TreeMap<>(allocation.environment())
        .forEach((name, value) -> words.add(word("env", name + "=" + value)));
    allocation.rlimits().forEach(rlimit -> words.add(word("rlimit", rlimit)));
    return words;
  }

  private static List<String> of(Limits limits) {
    List<String> words = new ArrayList<>();
    limits.cpus().ifPresent(list -> words.add(word("cpus", list)));
    limits.mems().ifPresent(list -> words.add(word("mems", list)));
    limits.memoryMax().ifPresent(bytes -> words.add(word("memory_max", bytes)));
    limits.memoryHigh().ifPresent(bytes -> words.add(word("memory_high", bytes)));
    limits.swapMax().ifPresent(bytes -> words.add(word("swap_max", bytes)));
    limits.cpuWeight().ifPresent(weight -> words.add(word("cpu_weight", weight)));
    limits.cpuMax().ifPresent(max -> words.add(word("cpu_max", max)));
    limits.pidsMax().ifPresent(most -> words.add(word("pids_max", most)));
    limits.ioMax().forEach(max -> words.add(word("io_max", max)));
    new TreeMap<>(limits.hugetlbMax())
        .forEach((size, bytes) -> words.add(word("hugetlb_max", size + "=" + bytes)));
    return words;
  }

  private static String word(String key, Object value) {
    return key + "=" + URLEncoder.encode(value.toString(), UTF_8);
  }

  /** Reads the words that are known. A line that has others is kept, {@link JobJournalLine}. */
  static Allocation allocation(List<String> words) {
    return read(words)
        .orElseGet(() -> {
          var known = new ArrayList<String>();
          for (String word : words) {
            known.add(word);
            if (read(known).isEmpty()) {
              known.removeLast();
            }
          }
          return read(known).orElse(Allocation.NONE);
        });
  }

  /** Empty if a word is not known, or its value is not. */
  private static Optional<Allocation> read(List<String> words) {
    var read = new Reading();
    try {
      words.forEach(read::take);
      return Optional.of(read.allocation());
    } catch (IllegalArgumentException | ArithmeticException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /** What was read so far. */
  private static final class Reading {
    private final Map<String, String> single = new LinkedHashMap<>();
    private final List<IoMax> ioMax = new ArrayList<>();
    private final Map<String, Long> hugetlbMax = new LinkedHashMap<>();
    private final List<DeviceRule> rules = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<Rlimit> rlimits = new ArrayList<>();

    void take(String word) {
      int equals = word.indexOf('=');
      String key = word.substring(0, Math.max(0, equals));
      String value = URLDecoder.decode(word.substring(equals + 1), UTF_8);
      switch (key) {
        case "io_max" -> ioMax.add(IoMax.parse(value));
        case "hugetlb_max" -> {
          String[] pair = value.split("=", 2);
          hugetlbMax.put(pair[0], Long.parseLong(pair[1]));
        }
        case "device" -> rules.add(DeviceRule.parse(value));
        case "env" -> {
          String[] pair = value.split("=", 2);
          environment.put(pair[0], pair[1]);
        }
        case "rlimit" -> rlimits.add(Rlimit.parse(value));
        case "cpus",
            "mems",
            "memory_max",
            "memory_high",
            "swap_max",
            "cpu_weight",
            "cpu_max",
            "pids_max",
            "devices" ->
            single.put(key, value);
        default ->
            throw new IllegalArgumentException("'" + word + "' is not a part of an allocation");
      }
    }

    private Optional<String> text(String key) {
      return Optional.ofNullable(single.get(key));
    }

    private OptionalLong number(String key) {
      Optional<String> text = text(key);
      return text.isPresent() ? OptionalLong.of(Long.parseLong(text.get())) : OptionalLong.empty();
    }

    Allocation allocation() {
      OptionalLong weight = number("cpu_weight");
      var limits =
          new Limits(
              text("cpus").map(NumberList::new),
              text("mems").map(NumberList::new),
              number("memory_max"),
              number("memory_high"),
              number("swap_max"),
              weight.isPresent()
                  ? OptionalInt.of(Math.toIntExact(weight.getAsLong()))
                  : OptionalInt.empty(),
              text("cpu_max").map(CpuMax::parse),
              number("pids_max"),
              ioMax,
              hugetlbMax);
      var kind = text("devices").map(DeviceRules.Kind::valueOf).orElse(DeviceRules.Kind.OPEN);
      return new Allocation(limits, new DeviceRules(kind, rules), environment, rlimits);
    }
  }
}
