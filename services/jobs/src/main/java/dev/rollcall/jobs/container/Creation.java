package dev.rollcall.jobs.container;

import dev.rollcall.jobs.container.Interior.Fitting;
import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.mount.MountNamespace;
import dev.rollcall.linux.mount.NamespaceThread;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NamespaceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a job's container, whole or not at all. */
record Creation(
    ContainerRules rules, Homes homes, Pins pins, SiteScripts scripts, HiddenPaths hiddenPaths) {

  void run(OwnerJob owner, OwnCgroups cgroups, Sequence steps) throws ContainerException {
    try {
      make(owner, cgroups, steps);
    } catch (ContainerException | RuntimeException | Error e) {
      steps.undo();
      throw e;
    }
  }

  private void make(OwnerJob owner, OwnCgroups cgroups, Sequence steps) throws ContainerException {
    List<Path> bases = rules.basePaths();
    List<Path> own = bases.stream().map(base -> Homes.of(base, owner.job())).toList();
    for (Path base : bases) {
      steps.step("base path", () -> Homes.require(base, rules.makesBasePath()));
    }
    List<Fitting> fittings = Interior.fittings(rules, owner);
    if (rules.scripts().init().isPresent()) {
      var script = rules.scripts().init().get();
      steps.step("InitScript", () -> scripts.run(script, owner, own.getFirst(), Optional.empty()));
    }
    for (Path base : bases) {
      steps.step(
          "make " + Homes.of(base, owner.job()),
          () -> homes.make(base, owner.job()),
          () -> homes.remove(base, owner.job()));
    }
    for (Fitting fitting : fittings) {
      if (fitting.backing() instanceof ContainerRules.Disk disk) {
        steps.step("make " + fitting.source(), () -> Homes.back(fitting.source(), owner, disk));
      }
    }
    if (!rules.surroundings().view().hidden().isEmpty()) {
      Path blank = Homes.blank(rules.basePath(), owner.job());
      steps.step("make " + blank, () -> Homes.makeBlank(blank));
    }
    Path pin = pins.file(owner.job(), NamespaceType.MOUNT);
    steps.step(
        "make " + pin,
        () -> pins.make(owner.job(), NamespaceType.MOUNT),
        () -> pins.drop(owner.job()));
    steps.step(
        "write " + pins.rules(owner.job()),
        () -> JobRules.of(rules, owner).write(pins.rules(owner.job())));
    if (rules.surroundings().runtimeDirectory().isPresent()) {
      steps.step("note " + pins.variables(owner.job()), () -> note(owner.job()));
    }
    var interior =
        new Interior(
            rules.shared(),
            fittings,
            narrowing(owner),
            rules.surroundings().more().kinds().contains(NamespaceType.CGROUP)
                ? cgroups.shown()
                : Map.of(),
            own,
            List.of(pins.directory()));
    try (Descriptor namespace = namespace(interior, steps)) {
      steps.step("pin " + pin, () -> pins.pin(owner.job(), NamespaceType.MOUNT, namespace));
    }
    if (rules.surroundings().networkNamespace().isPresent()) {
      Path network =
          rules.surroundings().networkNamespace().get().of(owner.job().toString(), owner.user());
      steps.step("pin " + network, () -> pinNetwork(owner.job(), network));
    }
    MoreNamespaces more = rules.surroundings().more();
    if (!more.kinds().isEmpty()) {
      var maker = new NamespaceMaker(more, pins, scripts);
      steps.step(
          "make the namespaces " + more.kinds(),
          () -> maker.make(owner, cgroups, steps::moment),
          () -> NamespaceMaker.kill(pins, owner.job()));
    }
    List<View.At> hidden = rules.surroundings().view().hidden(owner);
    if (!hidden.isEmpty()) {
      steps.step(
          "watch " + hidden.stream().map(at -> at.path().toString()).toList(),
          () -> hiddenPaths.watch(owner.job(), hidden),
          () -> hiddenPaths.forget(owner.job()));
    }
    if (rules.scripts().made().isPresent()) {
      var script = rules.scripts().made().get();
      steps.step(
          "CloneNSScript", () -> scripts.run(script, owner, own.getFirst(), Optional.of(pin)));
    }
  }

  private void note(JobId job) throws IOException {
    Path runtime = rules.surroundings().runtimeDirectory().orElseThrow();
    Files.writeString(pins.variables(job), "XDG_RUNTIME_DIR=" + runtime + "\n");
  }

  private Narrowing narrowing(OwnerJob owner) {
    View view = rules.surroundings().view();
    return new Narrowing(
        view.readOnly(owner), view.hidden(owner), Homes.blank(rules.basePath(), owner.job()));
  }

  private void pinNetwork(JobId job, Path network) throws IOException {
    NamespaceType kind = NamespaceType.NET;
    try (Descriptor namespace = Descriptor.open(RootPath.to(network))) {
      if (NamespaceThread.typeOf(namespace).filter(NamespaceType.NET::equals).isEmpty()) {
        throw new IOException(network + " is not a network namespace");
      }
      pins.make(job, kind);
      pins.pin(job, kind, namespace);
    }
  }

  private static Descriptor namespace(Interior interior, Sequence steps) throws ContainerException {
    try {
      return MountNamespace.create(() -> {
        interior.arrange(steps);
        return true;
      });
    } catch (ContainerException e) {
      throw e;
    } catch (IOException e) {
      throw new ContainerException("make a mount namespace", e);
    }
  }
}
