package dev.rollcall.load.container;

import dev.rollcall.jobs.container.ContainerRules;
import dev.rollcall.jobs.container.ContainerRules.Disk;
import dev.rollcall.jobs.container.ContainerRules.PrivateDirectory;
import dev.rollcall.jobs.container.ContainerRules.Scripts;
import dev.rollcall.jobs.container.ContainerRules.Surroundings;
import dev.rollcall.jobs.container.ContainerRules.Tmpfs;
import dev.rollcall.jobs.container.ContainersConfig;
import dev.rollcall.jobs.container.JobContainers;
import dev.rollcall.jobs.container.Removals;
import dev.rollcall.model.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Rollcall's own, as an agent makes them. */
final class OurContainers implements Containers {
  private static final long TO_REMOVE = TimeUnit.MINUTES.toNanos(5);

  private final int owner;
  private final Path run;
  private final JobContainers containers;

  /**
   * @param directory of its own, empty
   * @param before is told of each step
   */
  OurContainers(Path directory, int owner, Consumer<String> before) throws IOException {
    this.owner = owner;
    Path base = Files.createDirectory(directory.resolve("base"));
    Path state = Files.createDirectory(directory.resolve("state"));
    run = directory.resolve("run");
    var rules =
        new ContainerRules(
            base,
            false,
            List.of(
                new PrivateDirectory((job, user) -> Path.of("/tmp"), new Disk(base), Set.of()),
                new PrivateDirectory(
                    (job, user) -> Path.of("/dev/shm"), new Tmpfs("size=1m"), Set.of())),
            Scripts.NONE,
            false,
            Surroundings.nodes());
    containers =
        JobContainers.open(
            new ContainersConfig(
                Optional.of(rules), Map.of(), "cost", "this-boot", run, state, _ -> "", before));
  }

  @Override
  public void make(int job) throws IOException {
    containers.create(new JobId(job), owner, owner);
  }

  @Override
  public boolean has(int job) throws IOException {
    return !containers.files(new JobId(job)).isEmpty();
  }

  @Override
  public void remove(int job) throws IOException {
    containers.delete(new JobId(job), owner, owner);
  }

  /** Waits until what was moved aside is gone. */
  void awaitRemovals() throws IOException {
    long end = System.nanoTime() + TO_REMOVE;
    Removals.Progress progress = containers.removing();
    while (progress.waiting() > 0 || !progress.stuck().isEmpty()) {
      if (System.nanoTime() > end) {
        throw new IOException("not removed: " + progress);
      }
      Thread.onSpinWait();
      progress = containers.removing();
    }
  }

  @Override
  public void close() throws IOException {
    containers.close();
    Commands.run("umount", "--lazy", run.resolve("containers").toString());
  }
}
