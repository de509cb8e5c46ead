package dev.rollcall.lab.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.AotCaches;
import dev.rollcall.lab.demo.NodeScene;
import dev.rollcall.lab.demo.NodeScenes;
import dev.rollcall.lab.demo.Scene;
import dev.rollcall.lab.demo.Scenes;
import dev.rollcall.lab.demo.VmDemo;
import dev.rollcall.lab.demo.VmLab;
import dev.rollcall.lab.packages.Packages;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.count.Counts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A machine's run, from its start to its end: some scenes of a node with systemd. With the full
 * counts these are all such scenes, those of the packages and of the plain demo, and the tests of
 * modules that need root. {@code -Drollcall.vm.kernel=6.12} has it boot another kernel, {@code
 * -Drollcall.vm.slurm=26.05} have another Slurm.
 *
 * @param lines what was said inside
 * @param results the result files
 */
record Booted(VmResult result, List<String> lines, Path results) {
  private static final boolean FULL = Counts.areFull();

  /** The modules whose tests meet real controllers. */
  static final List<String> MODULES = FULL ? List.of("linux", "jobs") : List.of();

  /** Those of packages.sh: the machine as docs/install.md has it, until nothing is left. */
  private static final List<String> OF_PACKAGES =
      List.of(
          "vm-packages-hand-install-goes",
          "vm-packages-installed",
          "vm-packages-login-adopted",
          "vm-packages-upgraded-under-session",
          "vm-packages-removal-refused",
          "vm-packages-removed",
          "vm-packages-login-as-before");

  /** Of the scenes of a node, those that no other tier comes near. */
  private static final List<String> OF_EACH_CHANGE =
      List.of("vm-session-in-job", "vm-memory-max", "vm-end-kills");

  /** The scenes with jobs of a real Slurm. */
  static final List<String> WITH_SLURM =
      NodeScenes.all().stream()
          .map(NodeScene::name)
          .filter(name -> name.startsWith("vm-slurm"))
          .toList();

  /** The names of the scenes that are played. */
  static final List<String> SCENES = FULL ? all() : OF_EACH_CHANGE;

  private static List<String> all() {
    return Stream.of(
            NodeScenes.all().stream().map(NodeScene::name),
            Scenes.all().stream().map(Scene::name),
            OF_PACKAGES.stream())
        .flatMap(names -> names)
        .toList();
  }

  private static final Pattern NOT_THEIRS =
      Pattern.compile("helm|linux-amd64|hazelcast|archunit|netty|grpc|vertx|rollcall-gateway");
  private static final String CACHES = "/srv/rollcall-vm/caches/";
  private static final Duration WITHIN = Duration.ofMinutes(45);
  private static final Duration PRACTISED_WITHIN = Duration.ofMinutes(3);
  private static final Path PACKAGES_SCRIPT =
      Path.of("src/test/resources/dev/rollcall/lab/machine/packages.sh");

  private static Booted now(Optional<Packages> packages) {
    try {
      Path folder = Files.createTempDirectory("rollcall-vm-test");
      try {
        return in(folder, packages);
      } finally {
        Folders.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Only the scenes with Slurm, on a machine of their own.
   *
   * @param folder for files that the machine gets
   */
  static Booted withSlurm(String version, Path folder) {
    return after(List.of(), WITH_SLURM, version, CgroupMounting.V2, folder);
  }

  /** Some scenes after a command, on a machine with Debian 12's Slurm. */
  static Booted after(String command, List<String> scenes, Path folder) {
    return after(List.of(command), scenes, "22.05", CgroupMounting.V2, folder);
  }

  /** Some scenes on a machine whose systemd mounts the cgroups so. */
  static Booted with(CgroupMounting cgroups, List<String> scenes, Path folder) {
    return after(List.of(), scenes, "22.05", cgroups, folder);
  }

  private static Booted after(
      List<String> before, List<String> scenes, String slurm, CgroupMounting cgroups, Path folder) {
    var commands = new ArrayList<>(before);
    VmPayload payload =
        AotCaches.of(SourceTree.DISTRIBUTION)
            .filter(Booted::isWhole)
            .map(caches -> withCaches(node(folder), caches, folder, commands))
            .orElseGet(() -> node(folder));
    commands.add(VmDemo.commandOf(scenes) + "; journalctl -q --no-pager -o cat -t rollcall");
    Path results = folder.resolve("results");
    return run(payload, String.join("\n", commands), results, slurm, cgroups);
  }

  private static VmPayload node(Path folder) {
    return VmLab.addTo(VmNode.in(folder, SourceTree.DISTRIBUTION).addTo(VmPayload.empty()));
  }

  private static Booted in(Path folder, Optional<Packages> packages) {
    Path results = Path.of("target/vm").toAbsolutePath();
    VmPayload payload = node(folder);
    var commands = new ArrayList<String>();
    // The packages have caches of their own.
    Optional<AotCaches> caches =
        packages.isPresent()
            ? Optional.empty()
            : AotCaches.of(SourceTree.DISTRIBUTION).filter(Booted::isWhole);
    if (caches.isPresent()) {
      payload = withCaches(payload, caches.get(), folder, commands);
    }
    String demo = FULL ? VmDemo.COMMAND : VmDemo.commandOf(OF_EACH_CHANGE);
    commands.add(demo + "; systemctl stop rollcall-agent");
    if (packages.isPresent()) {
      payload =
          payload
              .with("/srv/rollcall-vm/packages", packages.get().debs())
              .with("/srv/rollcall-vm/packages-later", packages.get().later().debs())
              .with("/srv/rollcall-vm/packages.sh", PACKAGES_SCRIPT);
      commands.add("bash /srv/rollcall-vm/packages.sh");
    }
    commands.add(VmTests.V1_BESIDE);
    for (String module : MODULES) {
      VmTests tests = tests(module);
      payload = tests.addTo(payload);
      commands.add(tests.command());
    }
    String slurm = System.getProperty("rollcall.vm.slurm", "22.05");
    return run(payload, String.join("\n", commands), results, slurm, CgroupMounting.V2);
  }

  /** A program may have written none. */
  private static boolean isWhole(AotCaches caches) {
    return Files.exists(caches.file("agent")) && Files.exists(caches.file("cli"));
  }

  /** Starts take half the time with them. They are found at another path, as a package's are. */
  private static VmPayload withCaches(
      VmPayload payload, AotCaches caches, Path folder, List<String> commands) {
    commands.add("export ROLLCALL_CLI_OPTS=" + readsCache("cli"));
    commands.add("lab_options=" + readsCache("lab"));
    try {
      Path unit = folder.resolve("caches.conf");
      String options = "Environment=ROLLCALL_AGENT_OPTS=" + readsCache("agent");
      Files.writeString(unit, "[Service]\n" + options + "\n");
      return payload
          .with(CACHES + "agent.aot", caches.file("agent"))
          .with(CACHES + "cli.aot", caches.file("cli"))
          .with(CACHES + "lab.aot", ofLab(folder.resolve("lab.aot")))
          .with("/etc/systemd/system/rollcall-agent.service.d/caches.conf", unit);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of the scenes' JVM, from its start to the first call of an agent, which is not there. */
  private static Path ofLab(Path file) throws IOException {
    String practice =
        """
        mount -t tmpfs tmpfs /run
        mkdir /run/rollcall
        : >/run/rollcall/agent.sock
        lab_options=$2
        cd "$1"
        %s || test -s "$3"
        """
            .formatted(
                VmDemo.played("\"$0/bin/java\"") + VmDemo.onlyOf(List.of("vm-session-in-job")));
    var words = new ArrayList<>(List.of("unshare", "--mount", "sh", "-ec", practice));
    words.addAll(List.of(System.getProperty("java.home"), VmLab.MADE.toString()));
    words.addAll(List.of(AotCaches.writing(file), file.toString()));
    var _ = Tool.run(PRACTISED_WITHIN, words);
    return file;
  }

  private static String readsCache(String program) {
    return "-XX:AOTCache=" + CACHES + program + ".aot";
  }

  /** This module's own class path has all that theirs have, and large jars that they do not. */
  private static VmTests tests(String module) {
    List<Path> classPath =
        VmTests.split(System.getProperty("java.class.path")).stream()
            .filter(jar -> !NOT_THEIRS.matcher(jar.getFileName().toString()).lookingAt())
            .toList();
    return VmTests.of(SourceTree.ROOT.resolve("services").resolve(module), classPath).onV2();
  }

  private static Booted run(
      VmPayload payload, String command, Path results, String slurm, CgroupMounting cgroups) {
    String kernel = System.getProperty("rollcall.vm.kernel", VmRecipe.DEBIAN_KERNEL);
    VmImage image =
        VmImages.ofUser(System.out::println)
            .of(VmRecipe.debian12().withKernel(kernel).withSlurmVersion(slurm));
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    VmResult result =
        Vm.run(
            image,
            VmRun.of(command, WITHIN)
                .with(payload)
                .withResults(results)
                .withKernelWords(cgroups.kernelWords()),
            line -> {
              lines.add(line);
              System.out.println(line);
            });
    System.out.printf(
        "%s: ready after %.1f s, over after %.1f s%n",
        image.kernel(), result.readySeconds(), result.seconds());
    return new Booted(result, List.copyOf(lines), results);
  }

  /** That a scene was played once, and held. */
  void assertHeld(String scene) {
    List<String> told =
        lines.stream().filter(line -> line.matches("(ok|DIFFERS) +" + scene + " .*")).toList();
    assertEquals(1, told.size(), () -> "not told once: " + scene + ", but " + told);
    assertTrue(told.getFirst().startsWith("ok "), told::getFirst);
  }

  /** Gives tests the one machine that all of them share. */
  static final class Once implements ParameterResolver {
    private static final ExtensionContext.Namespace HERE =
        ExtensionContext.Namespace.create(Once.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Booted.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      Optional<Packages> packages =
          FULL ? Optional.of(Packages.Once.of(context)) : Optional.empty();
      return context
          .getRoot()
          .getStore(HERE)
          .computeIfAbsent(Booted.class, _ -> Booted.now(packages), Booted.class);
    }
  }
}
