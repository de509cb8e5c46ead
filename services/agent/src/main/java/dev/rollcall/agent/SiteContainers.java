package dev.rollcall.agent;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.agent.login.adopt.UserNamespaceSessions;
import dev.rollcall.jobs.container.ContainerRules;
import dev.rollcall.jobs.container.ContainerRules.Scripts;
import dev.rollcall.jobs.container.ContainerRules.Surroundings;
import dev.rollcall.jobs.container.ContainersConfig;
import dev.rollcall.jobs.container.MoreNamespaces;
import dev.rollcall.jobs.container.UserMaps;
import dev.rollcall.jobs.container.View;
import dev.rollcall.linux.mount.MountFlag;
import dev.rollcall.linux.quota.TreeLimit;
import dev.rollcall.model.NamespaceType;
import dev.rollcall.settings.container.ContainerConf;
import dev.rollcall.settings.container.JobContainer;
import dev.rollcall.settings.container.Namespace;
import dev.rollcall.settings.container.NarrowedPath;
import dev.rollcall.settings.container.PrivateDirectory;
import dev.rollcall.settings.container.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Maps the site's file about containers to the settings of the jobs' provider. */
final class SiteContainers {
  private static final System.Logger LOG = System.getLogger(SiteContainers.class.getName());

  private static final Duration TO_MAKE = Duration.ofSeconds(10);

  private SiteContainers() {}

  /**
   * @param host this machine's name
   * @throws IOException naming what the file wants and this version cannot do
   */
  static ContainersConfig of(AgentConfig config, String node, String host, String bootId)
      throws IOException {
    Path runtime = config.runDirectory().resolve("runtime");
    Optional<JobContainer> wanted = config.containerConf().flatMap(conf -> on(conf, node, host));
    if (wanted.isPresent()) {
      LOG.log(
          INFO,
          config.containerChoices().isEmpty()
              ? "every job has a container, below {0}"
              : "a job that chooses no other has a container, below {0}",
          wanted.get().basePath().get());
      warn(wanted.get(), config);
    }
    Map<String, Optional<ContainerRules>> choices = new LinkedHashMap<>();
    for (Map.Entry<String, ContainerConf> each : config.containerChoices().entrySet()) {
      Optional<JobContainer> chosen = on(each.getValue(), node, host);
      if (chosen.isPresent()) {
        warn(chosen.get(), config);
      }
      choices.put(
          each.getKey(),
          chosen.isPresent() ? Optional.of(rules(chosen.get(), runtime)) : Optional.empty());
    }
    // A site's script gets the name at once or not at all: a directory could delay the job.
    var users = new UserNames(Path.of("/etc/passwd"), _ -> "");
    return new ContainersConfig(
        wanted.isPresent() ? Optional.of(rules(wanted.get(), runtime)) : Optional.empty(),
        choices,
        node,
        bootId,
        config.runDirectory(),
        config.stateDirectory(),
        users::of,
        _ -> {});
  }

  private static Optional<JobContainer> on(ContainerConf conf, String node, String host) {
    return Optional.of(conf.on(node, host)).filter(it -> it.basePath().isPresent());
  }

  private static void warn(JobContainer container, AgentConfig config) {
    if (container.namespaces().contains(Namespace.USER)
        && config.userNamespaceSessions() == UserNamespaceSessions.REFUSE) {
      LOG.log(
          WARNING,
          "jobs have user namespaces: with user_namespace_sessions: refuse they get no sessions");
    }
  }

  private static ContainerRules rules(JobContainer container, Path runtimeDirectory)
      throws IOException {
    Path base = container.basePath().orElseThrow();
    return new ContainerRules(
        base,
        container.autoBasePath(),
        container.directories().stream().map(each -> directory(each, base)).toList(),
        new Scripts(
            container.initScript().map(SiteContainers::script),
            container.cloneScript().map(SiteContainers::script),
            container.cloneEpilog().map(SiteContainers::script)),
        container.shared(),
        new Surroundings(
            more(
                container.namespaces(),
                container.userNsScript().map(SiteContainers::script).map(UserMaps::ofHost)),
            container.networkNamespace().map(path -> (job, user) -> path.of(job, user, job)),
            new View(narrowed(container.readOnly()), narrowed(container.hidden())),
            container.runtimeDirectory() ? Optional.of(runtimeDirectory) : Optional.empty()));
  }

  private static List<View.Narrowed> narrowed(List<NarrowedPath> paths) {
    return paths.stream()
        .map(one ->
            new View.Narrowed(
                // Without Slurm there is no SLUID: the number stands for it.
                (job, user) -> one.path().of(job, user, job), one.mayBeMissing()))
        .toList();
  }

  private static MoreNamespaces more(Set<Namespace> wanted, Optional<UserMaps> maps)
      throws IOException {
    Set<NamespaceType> kinds = EnumSet.noneOf(NamespaceType.class);
    for (Namespace one : wanted) {
      switch (one) {
        case MOUNT -> LOG.log(DEBUG, "every job has a mount namespace");
        case PID -> kinds.add(NamespaceType.PID);
        case IPC -> kinds.add(NamespaceType.IPC);
        case UTS -> kinds.add(NamespaceType.UTS);
        case NET -> kinds.add(NamespaceType.NET);
        case CGROUP -> kinds.add(NamespaceType.CGROUP);
        case USER -> kinds.add(NamespaceType.USER);
      }
    }
    Path maker =
        Path.of(System.getProperty("rollcall.distribution", "/opt/rollcall"))
            .resolve("lib/container/rollcall-namespaces");
    if (!kinds.isEmpty() && !Files.isExecutable(maker)) {
      throw new IOException(
          "container_conf: namespaces are made by " + maker + ", which is not there");
    }
    return new MoreNamespaces(maker, kinds, TO_MAKE, maps);
  }

  private static ContainerRules.SiteScript script(Script script) {
    return new ContainerRules.SiteScript(script.path(), script.patience());
  }

  private static ContainerRules.PrivateDirectory directory(PrivateDirectory directory, Path base) {
    Set<MountFlag> flags = EnumSet.of(MountFlag.NOSUID, MountFlag.NODEV);
    directory.flags().forEach(flag -> MountFlag.named(flag.word()).ifPresent(flags::add));
    return new ContainerRules.PrivateDirectory(
        // Without Slurm there is no SLUID: the number stands for it.
        (job, user) -> directory.path().of(job, user, job),
        switch (directory.backing()) {
          case PrivateDirectory.Tmpfs(String data) -> new ContainerRules.Tmpfs(data);
          case PrivateDirectory.Disk disk -> disk(disk, base);
        },
        flags);
  }

  private static ContainerRules.Disk disk(PrivateDirectory.Disk disk, Path base) {
    Path own = disk.basePath().orElse(base);
    boolean limited = disk.bytes().isPresent() || disk.inodes().isPresent();
    return new ContainerRules.Disk(
        own,
        disk.mode().orElse(new ContainerRules.Disk(own).mode()),
        limited
            ? Optional.of(new TreeLimit(disk.bytes().orElse(Long.MAX_VALUE), disk.inodes()))
            : Optional.empty());
  }
}
