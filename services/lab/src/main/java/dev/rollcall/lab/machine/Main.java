package dev.rollcall.lab.machine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What {@code ./rollcall test --vm} starts: {@code [--kernel NAME] [--release NAME] [--slurm]
 * [--cgroup v1|hybrid|v2] [--only PATTERN] [--results FOLDER] MODULE...} runs the modules' tests
 * that need root in one machine; each has its class path in {@code target/test.classpath}. Instead
 * of modules: {@code -- COMMAND} runs that.
 */
public final class Main {
  private static final Duration WITHIN = Duration.ofMinutes(30);

  private VmRecipe recipe = VmRecipe.debian12();
  private CgroupMounting hierarchy = CgroupMounting.V2;
  private Optional<String> only = Optional.empty();
  private Optional<Path> results = Optional.empty();
  private final List<Path> modules = new ArrayList<>();
  private String command = "";

  private Main() {}

  public static void main(String[] words) {
    try {
      var main = new Main();
      main.read(new ArrayDeque<>(List.of(words)));
      System.exit(main.run());
    } catch (VmException e) {
      System.err.println("rollcall: " + e.getMessage());
      System.exit(125);
    }
  }

  private void read(Deque<String> words) {
    while (!words.isEmpty()) {
      String word = words.removeFirst();
      switch (word) {
        case "--kernel" -> recipe = recipe.withKernel(value(word, words));
        case "--release" -> recipe = recipe.withRelease(value(word, words));
        case "--podman" -> recipe = recipe.withPodman();
        case "--slurm" -> recipe = recipe.withSlurm();
        case "--cgroup" -> hierarchy = CgroupMounting.named(value(word, words));
        case "--only" -> only = Optional.of(value(word, words));
        case "--results" -> results = Optional.of(Path.of(value(word, words)));
        case "--" -> {
          command = String.join(" ", words);
          words.clear();
        }
        default -> modules.add(module(word));
      }
    }
    if (modules.isEmpty() == command.isEmpty()) {
      throw new VmException("either modules or -- COMMAND is needed");
    }
  }

  private static String value(String option, Deque<String> words) {
    if (words.isEmpty()) {
      throw new VmException(option + " needs a value");
    }
    return words.removeFirst();
  }

  private static Path module(String word) {
    Path folder = Path.of(word).toAbsolutePath().normalize();
    if (!Files.isDirectory(folder.resolve("target/test-classes"))) {
      throw new VmException("no compiled tests in " + folder);
    }
    return folder;
  }

  private int run() {
    VmPayload payload = VmPayload.empty();
    var commands = new ArrayList<String>();
    for (Path module : modules) {
      VmTests tests = tests(module);
      payload = tests.addTo(payload);
      commands.add(tests.command());
    }
    String all =
        command.isEmpty()
            ? commands.stream()
                .map(one -> one + " || failed=1")
                .collect(Collectors.joining("\n", before(), "\nexit ${failed:-0}"))
            : command;
    VmRun run = VmRun.of(all, WITHIN).with(payload).withKernelWords(hierarchy.kernelWords());
    VmImage image = VmImages.ofUser(Main::say).of(recipe);
    VmResult result = Vm.run(image, results.map(run::withResults).orElse(run), System.out::println);
    say(
        "%s: ready after %.1f s, exit %d after %.1f s"
            .formatted(image.kernel(), result.readySeconds(), result.status(), result.seconds()));
    return result.status();
  }

  private String before() {
    return hierarchy == CgroupMounting.V2 ? VmTests.V1_BESIDE : "";
  }

  private VmTests tests(Path module) {
    try {
      String classPath = Files.readString(module.resolve("target/test.classpath")).strip();
      VmTests tests = VmTests.of(module, VmTests.split(classPath));
      VmTests fitting = hierarchy == CgroupMounting.V2 ? tests.onV2() : tests;
      return only.map(fitting::only).orElse(fitting);
    } catch (java.io.IOException e) {
      throw new VmException("no class path of " + module, e);
    }
  }

  private static void say(String text) {
    System.err.println("rollcall: " + text);
  }
}
