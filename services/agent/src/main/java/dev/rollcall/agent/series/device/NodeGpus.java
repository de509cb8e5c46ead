package dev.rollcall.agent.series.device;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads which GPUs a node has: NVIDIA's from {@code /proc/driver/nvidia}, others from {@code
 * /dev/dri}.
 */
public final class NodeGpus {
  private static final long KEPT_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int LARGEST_FILE = 16 << 10;

  /** A GPU that was not used since its driver was loaded has question marks for its UUID. */
  private static final Pattern UUID = Pattern.compile("GPU UUID:\\s*(GPU-[0-9a-fA-F-]+)\\s");

  private static final Pattern MINOR = Pattern.compile("Device Minor:\\s*([0-9]{1,6})");
  private static final Pattern ACCESS = Pattern.compile("DeviceFileMinor:\\s*([0-9]{1,6})");
  private static final Pattern CAPABILITIES = Pattern.compile("(?m)^ *([0-9]{1,4}) nvidia-caps$");
  private static final Pattern LAST_NUMBER = Pattern.compile("[a-zA-Z]([0-9]{1,6})$");

  private final Path root;
  private final LongSupplier nanos;
  private KnownGpus known = KnownGpus.NONE;
  private long readAgainAt;

  /**
   * @param root of the node's files
   */
  public NodeGpus(Path root, LongSupplier nanos) {
    this.root = root;
    this.nanos = nanos;
    this.readAgainAt = nanos.getAsLong();
  }

  /** Reads them again after a minute, which may take the driver milliseconds for each. */
  public synchronized KnownGpus known() {
    if (nanos.getAsLong() - readAgainAt >= 0) {
      known = read();
      readAgainAt = nanos.getAsLong() + KEPT_NANOS;
    }
    return known;
  }

  private KnownGpus read() {
    Path driver = root.resolve("proc/driver/nvidia");
    Map<Integer, JobDevice> gpus = new LinkedHashMap<>();
    for (Path gpu : files(driver.resolve("gpus"), "*")) {
      String text = text(gpu.resolve("information"));
      Matcher uuid = UUID.matcher(text);
      String its = uuid.find() ? uuid.group(1) : "";
      number(MINOR, text)
          .ifPresent(minor -> gpus.put(minor, JobDevice.gpu("nvidia" + minor, minor, its)));
    }
    Map<Integer, JobDevice> instances = new HashMap<>();
    gpus.forEach((minor, gpu) -> {
      for (Path instance : files(driver.resolve("capabilities/gpu" + minor + "/mig"), "gi*")) {
        number(ACCESS, text(instance.resolve("access")))
            .ifPresent(access ->
                number(LAST_NUMBER, instance.toString())
                    .ifPresent(it -> instances.put(access, gpu.instance(it))));
      }
    });
    Map<Integer, JobDevice> render = new HashMap<>();
    for (Path file : files(root.resolve("dev/dri"), "renderD*")) {
      String name = String.valueOf(file.getFileName());
      number(LAST_NUMBER, name)
          .ifPresent(minor -> render.put(minor, JobDevice.gpu(name, minor, "")));
    }
    OptionalInt major = number(CAPABILITIES, text(root.resolve("proc/devices")));
    return new KnownGpus(gpus, instances, major, render);
  }

  private static List<Path> files(Path directory, String glob) {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, glob)) {
      all.forEach(files::add);
    } catch (IOException e) {
      return List.of(); // there is no such driver
    }
    Collections.sort(files);
    return files;
  }

  private static String text(Path file) {
    try (var in = Files.newInputStream(file)) {
      return new String(in.readNBytes(LARGEST_FILE), ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  private static OptionalInt number(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    return found.find() ? OptionalInt.of(Integer.parseInt(found.group(1))) : OptionalInt.empty();
  }
}
