package dev.rollcall.lab.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The images of this machine: one folder each, named by what it is made of, made elsewhere and
 * moved to its name when it is whole. Whoever builds holds a lock; the others wait for it.
 */
public final class VmImages {
  private static final Duration BUILT_WITHIN = Duration.ofMinutes(15);
  private static final Duration KEPT = Duration.ofDays(14);
  private static final String PREFIX = "image-";
  private static final String DRAFT = "draft-";

  private final Path cache;
  private final Consumer<String> log;

  /**
   * The images in the user's cache.
   *
   * @param log is told what takes long
   */
  public static VmImages ofUser(Consumer<String> log) {
    return new VmImages(cache(), log);
  }

  VmImages(Path cache, Consumer<String> log) {
    this.cache = cache;
    this.log = log;
  }

  /** ROLLCALL_VM_CACHE, else in XDG_CACHE_HOME. Root's own cache is closed to apt's user. */
  private static Path cache() {
    return Optional.ofNullable(System.getenv("ROLLCALL_VM_CACHE"))
        .map(Path::of)
        .or(() ->
            Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .map(folder -> Path.of(folder, "rollcall", "vm")))
        .orElse(Path.of("/var/cache/rollcall-vm"));
  }

  /** The image of a recipe, built first if it is not there: that takes a minute. */
  public VmImage of(VmRecipe recipe) {
    try {
      Files.createDirectories(cache);
      try (var file =
              FileChannel.open(
                  cache.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var _ = file.lock()) {
        return found(recipe);
      }
    } catch (IOException e) {
      throw new VmException("cannot keep images in " + cache, e);
    }
  }

  private VmImage found(VmRecipe recipe) throws IOException {
    String kernel = kernel(recipe);
    Path folder = cache.resolve(PREFIX + key(recipe, kernel));
    if (!Files.isDirectory(folder)) {
      build(recipe, kernel, folder);
    }
    Files.setLastModifiedTime(folder, FileTime.from(Instant.now()));
    sweep();
    return new VmImage(folder, kernel, recipe.processor());
  }

  private String kernel(VmRecipe recipe) throws IOException {
    return script(recipe, cache, List.of("kernel", recipe.kernel())).strip();
  }

  private void build(VmRecipe recipe, String kernel, Path folder) throws IOException {
    long start = System.nanoTime();
    log.accept("building an image of %s with %s in %s".formatted(recipe.release(), kernel, folder));
    Path draft = Files.createDirectory(cache.resolve(DRAFT + ProcessHandle.current().pid()));
    try {
      Path guest = Resource.GUEST.copyTo(draft);
      var arguments =
          new ArrayList<>(
              List.of(
                  "build",
                  draft.toString(),
                  recipe.release(),
                  kernel,
                  recipe.jdk().toString(),
                  guest.toString(),
                  slurm(recipe)));
      arguments.addAll(recipe.packages());
      script(recipe, draft, arguments);
      Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Folders.delete(draft);
    }
    log.accept("built in %d s".formatted((System.nanoTime() - start) / 1_000_000_000));
  }

  private static String slurm(VmRecipe recipe) {
    return recipe.slurm().orElse("-");
  }

  private static String script(VmRecipe recipe, Path folder, List<String> arguments)
      throws IOException {
    var argv = new ArrayList<>(List.of("bash"));
    for (Resource script : recipe.processor().scripts()) {
      Path copy = script.copyTo(folder);
      if (argv.size() == 1) {
        argv.add(copy.toString());
      }
    }
    argv.addAll(arguments);
    return Tool.run(BUILT_WITHIN, argv);
  }

  /** Changes when anything does that an image is made of. */
  private static String key(VmRecipe recipe, String kernel) throws IOException {
    String all =
        Stream.concat(
                recipe.processor().scripts().stream().map(Resource::text),
                Stream.of(
                    Resource.GUEST.text(),
                    recipe.release(),
                    kernel,
                    slurm(recipe),
                    String.join(" ", recipe.packages()),
                    recipe.jdk().toString(),
                    Files.readString(recipe.jdk().resolve("release"))))
            .collect(Collectors.joining("\0"));
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Removes what a killed build left, and images that nobody asked for in two weeks. */
  private void sweep() throws IOException {
    Instant limit = Instant.now().minus(KEPT);
    try (Stream<Path> all = Files.list(cache)) {
      all.filter(folder -> isOld(folder, limit)).forEach(Folders::delete);
    }
  }

  private static boolean isOld(Path folder, Instant limit) {
    String name = folder.getFileName().toString();
    try {
      // Who builds holds the lock, and now it is ours.
      return name.startsWith(DRAFT)
          || (name.startsWith(PREFIX)
              && Files.getLastModifiedTime(folder).toInstant().isBefore(limit));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
