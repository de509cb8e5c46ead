package dev.rollcall.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * Reads a site's {@code cgroup.conf}, with Slurm's keys: cgroup.conf(5). What it leaves out has
 * Slurm's default.
 *
 * @param mountPoint below which the hierarchies are looked for
 * @param slice that holds the scope, a systemd unit
 * @param systemdTimeout how long to wait for a scope that systemd makes
 * @param ignoreSystemd no scope is asked of systemd: its directory is made
 * @param ignoreSystemdOnFailure the same, when systemd makes none
 * @param enableControllers controllers are enabled above the scope too, from the mount down
 * @param ram how memory is limited
 * @param swappiness of jobs on cgroup v1, 0 to 100; empty: the node's
 * @param ignored keys that Slurm knows and that mean nothing here, with their lines
 */
public record CgroupConf(
    Path mountPoint,
    Plugin plugin,
    String slice,
    Duration systemdTimeout,
    boolean ignoreSystemd,
    boolean ignoreSystemdOnFailure,
    boolean enableControllers,
    Constrain constrain,
    Ram ram,
    OptionalInt swappiness,
    List<String> ignored) {

  /** Which hierarchy is used. */
  public enum Plugin {
    AUTODETECT,
    V1,
    V2
  }

  /** What of a job's allocation is enforced. */
  public record Constrain(boolean cores, boolean ramSpace, boolean swapSpace, boolean devices) {}

  /**
   * Percentages are of the job's memory ({@code allowed}) or of the node's ({@code max}).
   *
   * @param minRamMebibytes the least that a job's limit is
   */
  public record Ram(
      double allowedRam, double allowedSwap, double maxRam, double maxSwap, long minRamMebibytes) {}

  public CgroupConf {
    ignored = List.copyOf(ignored);
  }

  /**
   * Reads a file, and those that it includes.
   *
   * @throws BadConfigException naming file, line, key and value
   */
  public static CgroupConf read(Path file) throws BadConfigException {
    return read(SlurmKeys.read(file));
  }

  /** The keys that mean something here; the words are in {@code keys.properties}. */
  public static List<KnownKey> keys() throws BadConfigException {
    SlurmKeys none = SlurmKeys.none();
    read(none);
    return none.asked();
  }

  private static CgroupConf read(SlurmKeys keys) throws BadConfigException {
    boolean ignoreSystemd = keys.bool("IgnoreSystemd");
    var conf =
        new CgroupConf(
            keys.value("CgroupMountPoint", Kind.path(), Path.of("/sys/fs/cgroup")).normalize(),
            keys.value("CgroupPlugin", PLUGIN, Plugin.AUTODETECT),
            keys.value("CgroupSlice", SLICE, "system.slice"),
            timeout(keys.value("SystemdTimeout", MILLISECONDS, DEFAULT_TIMEOUT)),
            ignoreSystemd,
            keys.bool("IgnoreSystemdOnFailure") || ignoreSystemd,
            keys.bool("EnableControllers"),
            new Constrain(
                keys.bool("ConstrainCores"),
                keys.bool("ConstrainRAMSpace"),
                keys.bool("ConstrainSwapSpace"),
                keys.bool("ConstrainDevices")),
            new Ram(
                keys.value("AllowedRAMSpace", PERCENT, 100.0),
                keys.value("AllowedSwapSpace", PERCENT, 0.0),
                keys.value("MaxRAMPercent", PERCENT, 100.0),
                keys.value("MaxSwapPercent", PERCENT, 100.0),
                keys.value("MinRAMSpace", MEBIBYTES, 30L)),
            keys.value("MemorySwappiness", SWAPPINESS, OptionalInt.empty()),
            keys.ignore(IGNORED));
    keys.end();
    return conf;
  }

  /** Slurm takes 0 as well, and waits for nothing. */
  private static Duration timeout(long milliseconds) {
    return Duration.ofMillis(milliseconds == 0 ? DEFAULT_TIMEOUT : milliseconds);
  }

  private static final long DEFAULT_TIMEOUT = 5_000;
  private static final int MOST_SWAPPINESS = 100;

  private static final Kind<Plugin> PLUGIN =
      new Kind<>(
          "`autodetect`, `cgroup/v1`, `cgroup/v2`",
          CgroupConf::plugin,
          plugin ->
              switch (plugin) {
                case AUTODETECT -> "autodetect";
                case V1 -> "cgroup/v1";
                case V2 -> "cgroup/v2";
              });
  private static final Kind<String> SLICE = Kind.of("a slice's name", CgroupConf::slice);
  private static final Kind<Long> MILLISECONDS = whole(0, 600_000, "milliseconds");
  private static final Kind<Long> MEBIBYTES = whole(0, 1L << 40, "MiB");
  private static final Kind<Double> PERCENT =
      new Kind<>("percent", CgroupConf::percent, "%.0f"::formatted);

  private static final Kind<OptionalInt> SWAPPINESS =
      new Kind<>(
          "0 to 100",
          CgroupConf::swappiness,
          value -> value.isPresent() ? "" + value.getAsInt() : "the node's");

  private static final List<String> IGNORED =
      List.of(
          "AllowedDevicesFile",
          "AllowedKmemSpace",
          "CgroupAutomount",
          "CgroupJobIdPaths",
          "CgroupReleaseAgentDir",
          "ConstrainKmemSpace",
          "EnableExtraControllers",
          "MaxKmemPercent",
          "MemoryLimitEnforcement",
          "MemoryLimitThreshold",
          "MinKmemSpace",
          "SignalChildrenProcesses",
          "TaskAffinity");

  private static Plugin plugin(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "autodetect" -> Plugin.AUTODETECT;
      case "cgroup/v1" -> Plugin.V1;
      case "cgroup/v2" -> Plugin.V2;
      case "disabled" ->
          throw new IllegalArgumentException("'disabled' is not possible: jobs need cgroups");
      default ->
          throw new IllegalArgumentException(
              "'" + text + "' is none of autodetect, cgroup/v1, cgroup/v2");
    };
  }

  private static String slice(String text) {
    if (!text.matches("[A-Za-z0-9:_.\\\\]+(-[A-Za-z0-9:_.\\\\]+)*\\.slice")) {
      throw new IllegalArgumentException("'" + text + "' is not a slice such as system.slice");
    }
    return text;
  }

  private static Kind<Long> whole(long least, long most, String unit) {
    return Kind.of(
        unit + ", " + least + " to " + most,
        text -> {
          long number = text.matches("[0-9]{1,15}") ? Long.parseLong(text) : -1;
          if (number < least || number > most) {
            throw new IllegalArgumentException(
                "'" + text + "' is not a number of " + unit + " from " + least + " to " + most);
          }
          return number;
        });
  }

  /** More than the most is the most, as in Slurm. */
  private static OptionalInt swappiness(String text) {
    if (!text.matches("[0-9]{1,9}")) {
      throw new IllegalArgumentException("'" + text + "' is not a number from 0 to 100");
    }
    return OptionalInt.of(Math.min(Integer.parseInt(text), MOST_SWAPPINESS));
  }

  private static double percent(String text) {
    if (!text.matches("[0-9]{1,9}(\\.[0-9]{1,6})?")) {
      throw new IllegalArgumentException("'" + text + "' is not a percentage");
    }
    return Double.parseDouble(text);
  }
}
