package dev.rollcall.agent;

import dev.rollcall.jobs.limits.Reserve;
import dev.rollcall.jobs.limits.SiteRules;
import dev.rollcall.jobs.own.NativeJobsConfig;
import dev.rollcall.jobs.tree.TreeConfig;
import dev.rollcall.linux.KernelText;
import dev.rollcall.linux.systemd.ScopeSettings;
import dev.rollcall.linux.systemd.SliceName;
import dev.rollcall.model.allocation.Amount;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.allocation.NumberList;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.CgroupConf;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Holds the settings of limits on this node: the keys {@code cgroup_conf}, {@code system_cores} and
 * {@code system_memory}.
 *
 * @param file the path of cgroupConf
 * @param cgroupConf Slurm's own file, if the site has one
 * @param reserve kept back for the system
 */
record LimitsConfig(Optional<Path> file, Optional<CgroupConf> cgroupConf, Reserve reserve) {
  /** The agent's start is bounded by a minute. */
  static final int LONGEST_SYSTEMD_MS = 20_000;

  private static final Kind<NumberList> CORES =
      Kind.of("numbers of CPUs, `0-1,32`", NumberList::new);
  private static final Kind<Long> BYTES = Kind.of("bytes, or `4G`", LimitsConfig::bytes);
  private static final long MEBIBYTE = 1L << 20;
  private static final long KIBIBYTE = 1L << 10;

  static LimitsConfig read(ConfigFile file) throws BadConfigException {
    Optional<Path> named = file.value("cgroup_conf", Kind.path());
    Optional<CgroupConf> conf =
        named.isPresent() ? Optional.of(CgroupConf.read(named.get())) : Optional.empty();
    Optional<NumberList> cores = file.value("system_cores", CORES);
    Optional<Long> memory = file.value("system_memory", BYTES);
    return new LimitsConfig(
        named,
        conf,
        new Reserve(
            cores, memory.isPresent() ? OptionalLong.of(memory.get()) : OptionalLong.empty()));
  }

  private static long bytes(String text) {
    long bytes = Amount.parse(text).number();
    if (bytes == 0 || bytes == Limits.UNLIMITED) {
      throw new IllegalArgumentException("'" + text + "' is not a size such as 4G");
    }
    return bytes;
  }

  /**
   * The settings for systemd in cgroup.conf. The timeout is at most the agent's limit for its
   * start.
   */
  Optional<ScopeSettings> scope() {
    return cgroupConf.map(conf ->
        new ScopeSettings(
            conf.ignoreSystemd() ? ScopeSettings.Use.OFF : ScopeSettings.Use.AUTO,
            conf.ignoreSystemdOnFailure()
                ? ScopeSettings.OnFailure.WITHOUT
                : ScopeSettings.OnFailure.FAIL,
            Optional.of(new SliceName(conf.slice())).filter(it -> !it.equals(SliceName.SYSTEM)),
            Duration.ofMillis(Math.min(conf.systemdTimeout().toMillis(), LONGEST_SYSTEMD_MS))));
  }

  /** The hierarchy that cgroup.conf chooses. */
  TreeConfig.Choice choice() {
    return cgroupConf
        .map(conf ->
            switch (conf.plugin()) {
              case AUTODETECT -> TreeConfig.Choice.AUTO;
              case V1 -> TreeConfig.Choice.V1;
              case V2 -> TreeConfig.Choice.V2;
            })
        .orElse(TreeConfig.Choice.AUTO);
  }

  /**
   * @param proc where procfs is mounted
   */
  NativeJobsConfig.Site site(Path proc) throws IOException {
    long ram = ram(proc);
    SiteRules rules = cgroupConf.map(conf -> rules(conf, ram)).orElse(SiteRules.AS_ASKED);
    return new NativeJobsConfig.Site(rules, reserve, ram);
  }

  private static SiteRules rules(CgroupConf conf, long ram) {
    var constrain = conf.constrain();
    var space = conf.ram();
    return new SiteRules(
        constrain.cores(),
        constrain.ramSpace(),
        constrain.swapSpace(),
        constrain.devices(),
        space.allowedRam(),
        space.allowedSwap(),
        space.maxRam(),
        space.maxSwap(),
        ram,
        space.minRamMebibytes() * MEBIBYTE);
  }

  /** proc_meminfo(5). */
  private static long ram(Path proc) throws IOException {
    for (String line : KernelText.lines(proc.resolve("meminfo"))) {
      if (line.startsWith("MemTotal:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * KIBIBYTE;
      }
    }
    throw new IOException(proc.resolve("meminfo") + " names no MemTotal");
  }
}
